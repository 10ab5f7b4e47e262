/** How values are named in the tables `plan_facet` and `plan_count`, which triggers keep (see the migrations). */

/** In `plan_count` alone. */
export const ALL_PLANS = "";

/** In `plan_count` alone: a plan has one action, and a column for it. */
export function actionFacet(actionName: string): string {
  return `action:${actionName}`;
}

export function projectFacet(projectName: string): string {
  return `project:${projectName}`;
}

export function actorFacet(actor: string): string {
  return `actor:${actor}`;
}

export function tagFacet(tag: string): string {
  return `tag:${tag}`;
}
