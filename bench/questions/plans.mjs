/**
 * The two reads that everyone answers, a page of nested plans and one nested plan, in the words of each server, and
 * what makes their answers one form: what is measured is the same answer to the same question.
 */

/**
 * @typedef {object} Words How one server is asked.
 * @property {string} path
 * @property {(first: number) => string} list The body that asks for the newest plans.
 * @property {(id: string) => string} plan The body that asks for one plan.
 * @property {string} expected A text that is in each right answer to either.
 * @property {(answer: any) => unknown[]} plans The plans of an answer, in the form that all share.
 */

const LINK = "projectName alias readOnly";
const INVARIANT = "id text scope sourceName nonOverridable";
const PROGRESS = "phase queuedAt startedAt finishedAt attempts";
const FIELDS = "name actionName description phase state tags version createdAt updatedAt";

const phaselinePlan = `id ${FIELDS} projectLinks { ${LINK} } invariants { ${INVARIANT} } phases { status ${PROGRESS} }
  children { totalCount }`;

/** @type {Words} */
export const phaseline = graphql({
  list: `query List($first: Int!) { plans(first: $first) { edges { node { ${phaselinePlan} } } } }`,
  plan: `query One($id: ULID!) { plan(id: $id) { ${phaselinePlan} } }`,
  plans: ({ data }) =>
    nodesOf(data).map(({ children, phases, ...plan }) =>
      common({
        ...plan,
        // The phases that a plan has not come to are no rows, and nobody else names them.
        phases: phases
          .filter((/** @type {any} */ { status }) => status !== "NOT_STARTED")
          .map((/** @type {any} */ { status, ...progress }) => progress),
        childCount: children.totalCount,
      }),
    ),
});

// It offers no condition on a column without an index, so it need not leave out archived plans. There are none.
const postgraphilePlan = `id: rowId ${FIELDS}
  projectLinks: projectLinksByPlanId(orderBy: POSITION_ASC) { nodes { ${LINK} } }
  invariants: invariantsByPlanId(orderBy: POSITION_ASC) { nodes { id: rowId ${INVARIANT.replace("id ", "")} } }
  phases: phaseProgressesByPlanId(orderBy: PRIMARY_KEY_ASC) { nodes { ${PROGRESS} } }
  children: plansByParentPlanId { totalCount }`;

/** @type {Words} */
export const postgraphile = graphql({
  list: `query List($first: Int!) { plans: allPlans(first: $first, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) { nodes { ${postgraphilePlan} } } }`,
  plan: `query One($id: String!) { plan: planByRowId(rowId: $id) { ${postgraphilePlan} } }`,
  plans: ({ data }) =>
    nodesOf(data).map(({ children, projectLinks, invariants, phases, ...plan }) =>
      common({
        ...plan,
        projectLinks: projectLinks.nodes,
        invariants: invariants.nodes,
        phases: phases.nodes,
        childCount: children.totalCount,
      }),
    ),
});

const prismaPlan = `id ${FIELDS} projectLinks { ${LINK} } invariants { ${INVARIANT} } phases { ${PROGRESS} } childCount`;

/** @type {Words} */
export const pothos = graphql({
  list: `query List($first: Int!) { plans(first: $first) { edges { node { ${prismaPlan} } } } }`,
  plan: `query One($id: String!) { plan(id: $id) { ${prismaPlan} } }`,
  plans: ({ data }) => nodesOf(data).map(common),
});

/** @type {Words} */
export const apollo = graphql({
  list: `query List($first: Int!) { plans(first: $first) { ${prismaPlan} } }`,
  plan: `query One($id: ID!) { plan(id: $id) { ${prismaPlan} } }`,
  plans: ({ data }) => nodesOf(data).map(common),
});

/** @type {Words} */
export const oneStatement = {
  path: "/",
  list: (first) => JSON.stringify({ first }),
  plan: (id) => JSON.stringify({ id }),
  expected: '"childCount" : ',
  plans: (answer) => nodesOf(answer).map(common),
};

/** The plans of this one are ids and versions alone. */
/** @type {Words} */
export const versions = {
  ...oneStatement,
  expected: '{"versions":[{"id":"',
  plans: (answer) => answer.versions,
};

/**
 * @param {{ list: string, plan: string, plans: Words["plans"] }} words
 * @returns {Words}
 */
function graphql({ list, plan, plans }) {
  return {
    path: "/graphql",
    list: (first) => JSON.stringify({ query: list, variables: { first } }),
    plan: (id) => JSON.stringify({ query: plan, variables: { id } }),
    // Only a plan has one, and an answer with an error has none.
    expected: '"nonOverridable":',
    plans,
  };
}

/**
 * @param {any} data
 * @returns {any[]}
 */
function nodesOf({ plan, plans }) {
  if (plan !== undefined) return [plan];
  return plans.edges?.map((/** @type {any} */ { node }) => node) ?? plans.nodes ?? plans;
}

/**
 * @param {any} plan
 * @returns {unknown}
 */
function common(plan) {
  const { createdAt, updatedAt, phases, ...rest } = plan;
  return {
    ...rest,
    createdAt: time(createdAt),
    updatedAt: time(updatedAt),
    phases: phases.map((/** @type {any} */ { queuedAt, startedAt, finishedAt, ...progress }) => ({
      ...progress,
      queuedAt: time(queuedAt),
      startedAt: time(startedAt),
      finishedAt: time(finishedAt),
    })),
  };
}

/** @param {string | null} text */
function time(text) {
  return text === null ? null : new Date(text).toISOString();
}
