/** Total orders of plans and keyset windows over them (graphql-api.md, Conventions). */
import type { Sql } from "../../database/database.js";
import { Prisma } from "../../database/generated/client.js";
import type { Plan } from "../plan.js";
import type { PlanCursor, PlanOrder, PlanOrderField } from "../reading.js";
import { raw, sql } from "./fragments.js";

interface Key {
  readonly column: string;
  readonly type: string;
  readonly descending: boolean;
}

const COLUMNS: Readonly<Record<PlanOrderField, { readonly column: string; readonly type: string }>> = {
  CREATED_AT: { column: "created_at", type: "timestamptz" },
  UPDATED_AT: { column: "updated_at", type: "timestamptz" },
  NAME: { column: "name", type: "text" },
  PHASE: { column: "phase", type: "plan_phase" },
  STATE: { column: "state", type: "plan_state" },
};

/** Where all rows have one value in a column that an index has before those of the order. */
export interface WithinValue {
  readonly column: Sql;
  readonly value: Sql;
}

/** `ORDER BY` of the row `plan`; the id, in the direction of the first field, makes the order total. */
export function orderClause(
  plan: Sql,
  orderBy: readonly PlanOrder[],
  backward: boolean,
  within: WithinValue | null = null,
): Sql {
  const direction = (descending: boolean) => raw(descending !== backward ? "DESC" : "ASC");
  const terms = keys(orderBy).map(
    ({ column, descending }) => sql`${plan}.${raw(column)} ${direction(descending)}`,
  );
  const first = within === null ? [] : [sql`${within.column} ${direction(orderBy[0]?.direction === "DESC")}`];
  return Prisma.join([...first, ...terms], ", ");
}

/** Whether the row `plan` comes after the cursor in the order, or (backward) before it. */
export function beyond(
  plan: Sql,
  orderBy: readonly PlanOrder[],
  cursor: PlanCursor,
  backward: boolean,
  within: WithinValue | null = null,
): Sql {
  return comparison(plan, orderBy, cursor, backward, "", within);
}

/** Whether it does not. Written out, since an index finds no `NOT (…) > (…)`. */
export function notBeyond(
  plan: Sql,
  orderBy: readonly PlanOrder[],
  cursor: PlanCursor,
  backward: boolean,
  within: WithinValue | null = null,
): Sql {
  return comparison(plan, orderBy, cursor, !backward, "=", within);
}

/** The last key decides whether the cursor's own row is in: there `orEqual` stands behind the sign. */
function comparison(
  plan: Sql,
  orderBy: readonly PlanOrder[],
  cursor: PlanCursor,
  backward: boolean,
  orEqual: "" | "=",
  within: WithinValue | null,
): Sql {
  const terms = keys(orderBy).map((key, index, { length }) => ({
    column: sql`${plan}.${raw(key.column)}`,
    value: sql`${cursor[index] ?? null}::${raw(key.type)}`,
    compare: raw((key.descending !== backward ? "<" : ">") + (index + 1 === length ? orEqual : "")),
    descending: key.descending,
  }));
  const last = terms.at(-1);
  const [first] = terms;
  if (first !== undefined && terms.every(({ descending }) => descending === first.descending)) {
    const columns = Prisma.join(
      [...(within === null ? [] : [within.column]), ...terms.map(({ column }) => column)],
      ", ",
      "(",
      ")",
    );
    const values = Prisma.join(
      [...(within === null ? [] : [within.value]), ...terms.map(({ value }) => value)],
      ", ",
      "(",
      ")",
    );
    return sql`${columns} ${last?.compare ?? first.compare} ${values}`;
  }
  const alternatives = terms.map(({ column, compare, value }, index) => {
    const equal = terms.slice(0, index).map((term) => sql`${term.column} = ${term.value}`);
    return Prisma.join([...equal, sql`${column} ${compare} ${value}`], " AND ", "(", ")");
  });
  const any = Prisma.join(alternatives, " OR ", "(", ")");
  // The first of them says where an index begins; of alternatives it would not know.
  return first === undefined
    ? any
    : sql`(${first.column} ${first.descending !== backward ? raw("<=") : raw(">=")} ${first.value} AND ${any})`;
}

/** Where a plan stands in an order. */
export function cursorOf(plan: Plan, orderBy: readonly PlanOrder[]): PlanCursor {
  const values: Readonly<Record<PlanOrderField, string>> = {
    CREATED_AT: plan.createdAt,
    UPDATED_AT: plan.updatedAt,
    NAME: plan.name,
    PHASE: plan.phase,
    STATE: plan.state,
  };
  return [...orderBy.map(({ field }) => values[field]), plan.id];
}

function keys(orderBy: readonly PlanOrder[]): readonly Key[] {
  const fields = orderBy.map(({ field, direction }) => ({
    ...COLUMNS[field],
    descending: direction === "DESC",
  }));
  return [...fields, { column: "id", type: "text", descending: orderBy[0]?.direction === "DESC" }];
}
