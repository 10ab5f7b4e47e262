/** The first plans whose names contain a text. */
import type { Sql } from "../../database/database.js";
import { lowerAscii } from "../text.js";
import { createdWithin, matches } from "./filter.js";
import { all, sql } from "./fragments.js";
import { orderClause } from "./order.js";
import { type FirstPlans, isLive, plansInOrder } from "./plans-in-order.js";

/** How many plans are looked at in their order before an index is asked for the names that have a part. */
const NEAR = 1_000;
/** How many plans are few enough to be put in order. */
const FEW = 2_000;

/**
 * The first plans whose names contain a text, which is not empty. How frequent it is nobody knows beforehand: so a stretch of the order is
 * looked through, in which a frequent part is found often enough; then the index over parts of names is asked for those
 * that have it; and where they are many, the order is followed until enough are found.
 */
export function plansByName(plan: Sql, request: FirstPlans, nameContains: string): Sql {
  const { filter, orderBy, backward, place, limit } = request;
  const part = lowerAscii(nameContains);
  const order = sql`ORDER BY ${orderClause(plan, orderBy, backward)}`;
  const near = all([
    ...(place === null ? [] : [place(plan, null)]),
    isLive(plan, filter),
    ...createdWithin(plan, filter),
  ]);
  const nearIsEnough = sql`(SELECT count(*) >= ${limit} FROM near)`;
  const areFew = sql`(SELECT count(*) < ${FEW} FROM having_part)`;
  const few = sql`${plan}.id = ANY(ARRAY(SELECT plan_id FROM having_part))`;
  return sql`WITH near AS MATERIALIZED (
      SELECT ${plan}.* FROM (SELECT ${plan}.* FROM plan ${plan} WHERE ${near} ${order} LIMIT ${NEAR}) ${plan}
      WHERE ${matches(plan, filter ?? {})} ${order} LIMIT ${limit}),
    having_part AS MATERIALIZED (
      SELECT n.plan_id FROM plan_name n
      WHERE NOT ${nearIsEnough} AND ${hasParts(part)}
        AND strpos(n.name, ${part}) > 0 LIMIT ${FEW})
    SELECT ${plan}.* FROM (
      SELECT * FROM near WHERE ${nearIsEnough}
      UNION ALL (${plansInOrder(plan, request, [sql`NOT ${nearIsEnough}`, areFew, few])})
      UNION ALL (${plansInOrder(plan, request, [sql`NOT ${nearIsEnough}`, sql`NOT ${areFew}`])})
    ) ${plan} ${order} LIMIT ${limit}`;
}

/** Whether the parts of three characters at all places of the name `n` (see the migration) are those of `text`. */
function hasParts(text: string): Sql {
  const characters = [...text];
  if (characters.length < 3) return sql`parts_of_three(n.name) && ${beginningWith(text)}::text[]`;
  const parts = characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(""));
  return sql`parts_of_three(n.name) @> ${parts}::text[]`;
}

/** What names are made of, and the space that stands behind their end. */
const CHARACTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789-_.:/ "];

/** All parts of three characters that begin with a shorter text. */
function beginningWith(text: string): readonly string[] {
  if ([...text].length >= 3) return [text];
  return CHARACTERS.flatMap((character) => beginningWith(text + character));
}
