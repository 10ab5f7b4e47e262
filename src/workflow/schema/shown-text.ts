/** The texts of workflow plans in an answer are counted: aliases may ask for a large one again and again. */
import { GraphQLError, type GraphQLResolveInfo } from "graphql";
import type { Context } from "../../graphql/context.js";
import type { Usage } from "../usage.js";

/** A text that is made for the answer, if there is room for one. Throws QUERY_TOO_COSTLY where there is not. */
export function shownText(usage: Usage, make: () => string): string {
  if (!usage.mayShow) throw tooMuchText();
  const text = make();
  if (!usage.show(text)) throw tooMuchText();
  return text;
}

/** What the answer that a resolver is at takes of workflow plans. */
export function usageOf({ workflows }: Context, { rootValue }: GraphQLResolveInfo): Usage {
  return workflows(rootValue).usage;
}

export function tooMuchText(): GraphQLError {
  return tooCostly("The selection takes more text of workflow plans than one answer may.");
}

export function tooCostly(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "QUERY_TOO_COSTLY" } });
}
