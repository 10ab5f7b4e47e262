/** The one place where the rooms' types become a schema. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";
import { builder } from "./builder.js";
import "../plan/schema/queries.js";
import "../plan/schema/lifecycle.js";
import "../plan/schema/mutations.js";
import "../events/schema.js";
import "../workflow/schema/plan-fields.js";
import "../workflow/schema/queries.js";

export function phaselineSchema(): GraphQLSchema {
  return builder.toSchema({ sortSchema: true });
}

/** The schema as text, in the form of the file schema.graphql. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(phaselineSchema()))}\n`;
}
