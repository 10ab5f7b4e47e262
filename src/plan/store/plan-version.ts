/**
 * Which plan in which version: all that a statement says of a plan that may be in memory. The time tells versions apart
 * that a restored backup let happen twice.
 */
import type { Sql } from "../../database/database.js";
import type { Plan, Ulid } from "../plan.js";
import { sql } from "./fragments.js";

/** Its id, its version and the milliseconds of its last change, with spaces between them. */
export type PlanVersion = `${string} ${number} ${number}`;

export function versionOf({ id, version, updatedAt }: Plan): PlanVersion {
  return `${id} ${version} ${Date.parse(updatedAt)}`;
}

export function idIn(version: PlanVersion): Ulid {
  return version.slice(0, version.indexOf(" "));
}

/** The version of the row `plan`, an alias of the table. */
export function versionText(plan: Sql): Sql {
  return sql`(${plan}.id || ' ' || ${plan}.version || ' ' || (extract(epoch FROM ${plan}.updated_at) * 1000)::bigint)`;
}
