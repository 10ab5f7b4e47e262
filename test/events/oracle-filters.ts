/**
 * The filters of the oracle, decided anew over the rows of the log: what a feed should have sent is told by code
 * that shares nothing with the server's.
 */
import type { Random } from "../support/random.js";

/** A row of the table `plan_event`, as the driver reads it. */
export interface LogRow {
  readonly seq: string;
  readonly plan_id: string;
  readonly plan_version: number;
  readonly type: string;
  readonly root_plan_id: string;
  readonly action_name: string;
  readonly project_names: string[];
  readonly from_phase: string | null;
  readonly from_state: string | null;
  readonly from_tags: string[];
  readonly to_phase: string;
  readonly to_state: string;
  readonly to_tags: string[];
}

/** Enumerations as text: the driver knows no arrays of the database's own types. */
export const READ_LOG = `SELECT seq, plan_id, plan_version, type::text, root_plan_id, action_name, project_names,
  from_phase::text, from_state::text, from_tags, to_phase::text, to_state::text, to_tags
  FROM plan_event ORDER BY seq`;

export interface OracleFilter {
  planIds?: string[];
  rootPlanId?: string;
  actionNames?: string[];
  projectNames?: string[];
  phases?: string[];
  states?: string[];
  types?: string[];
  tags?: string[];
}

export const ACTIONS = ["local/review", "local/deploy", "hub.example:org/migrate"];
export const PROJECTS = ["local/shop", "local/site", "local/api"];
export const TAGS = ["red", "green", "blue", "black"];
const PHASES = ["STRATEGIZE", "EXECUTE", "APPLY", "APPLIED"];
const STATES = ["QUEUED", "PROCESSING", "ERRORED", "COMPLETE", "CANCELLED"];
const TYPES = ["PLAN_CREATED", "PHASE_STARTED", "PHASE_COMPLETED", "PHASE_FAILED", "TAGS_CHANGED"];

/** A filter of a few conditions, now and then none. */
export function anyFilter(random: Random, planIds: readonly string[]): OracleFilter | null {
  if (random.chance(0.15)) return null;
  const filter: OracleFilter = {};
  if (random.chance(0.15)) filter.planIds = some(random, planIds);
  if (random.chance(0.15)) filter.rootPlanId = random.pick(planIds);
  if (random.chance(0.2)) filter.actionNames = some(random, ACTIONS);
  if (random.chance(0.2)) filter.projectNames = some(random, PROJECTS);
  if (random.chance(0.25)) filter.phases = some(random, PHASES);
  if (random.chance(0.25)) filter.states = some(random, STATES);
  if (random.chance(0.2)) filter.types = some(random, TYPES);
  if (random.chance(0.25)) filter.tags = some(random, TAGS);
  return filter;
}

export function picks(filter: OracleFilter | null, row: LogRow): boolean {
  if (filter === null) return true;
  if (filter.planIds && !filter.planIds.includes(row.plan_id)) return false;
  if (filter.rootPlanId && filter.rootPlanId !== row.root_plan_id) return false;
  if (filter.actionNames && !filter.actionNames.includes(row.action_name)) return false;
  if (filter.types && !filter.types.includes(row.type)) return false;
  if (filter.projectNames && !overlap(filter.projectNames, row.project_names)) return false;
  const before = row.from_phase !== null && side(filter, row.from_phase, row.from_state, row.from_tags);
  return before || side(filter, row.to_phase, row.to_state, row.to_tags);
}

function side(filter: OracleFilter, phase: string, state: string | null, tags: string[]): boolean {
  if (filter.phases && !filter.phases.includes(phase)) return false;
  if (filter.states && !filter.states.includes(state ?? "")) return false;
  return !filter.tags || overlap(filter.tags, tags);
}

function overlap(one: readonly string[], other: readonly string[]): boolean {
  return one.some((each) => other.includes(each));
}

function some(random: Random, values: readonly string[]): string[] {
  return [...new Set([random.pick(values), random.pick(values)])];
}
