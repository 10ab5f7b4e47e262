/** The commands that take a plan round its circle, in the words of each server. */

/** @typedef {import("../data/transition.mjs").Command} Command */

/**
 * @typedef {object} Words
 * @property {string} path
 * @property {(command: Command, planId: string) => string} command The body of a command.
 * @property {string} expected A text that is in the answer to each command that succeeded.
 */

const answer = "__typename ... on CommandSuccess { cursor plan { id state version } }";

/** @type {Readonly<Record<Command, string>>} */
const mutations = {
  startPhase: `mutation Start($planId: ULID!) { startPhase(input: { planId: $planId }) { ${answer} } }`,
  failPhase: `mutation Fail($planId: ULID!) { failPhase(input: { planId: $planId, message: "The tests failed." }) { ${answer} } }`,
  retryPhase: `mutation Retry($planId: ULID!) { retryPhase(input: { planId: $planId }) { ${answer} } }`,
};

/** @type {Words} */
export const phaseline = {
  path: "/graphql",
  command: (command, planId) => JSON.stringify({ query: mutations[command], variables: { planId } }),
  expected: 'Success"',
};

/** @type {Words} */
export const bare = {
  path: "/",
  command: (command, planId) => JSON.stringify({ command, planId }),
  expected: '"version":',
};
