/**
 * The scalars. As inputs they let any value through: the schemas of the inputs check them, so that a malformed
 * one is reported with its path and together with all other faults.
 */
import { GraphQLScalarType, Kind, type ValueNode } from "graphql";

export const scalars = {
  DateTime: scalar(
    "DateTime",
    "A point in time: ISO 8601 in UTC with milliseconds, such as `2026-01-31T09:30:00.000Z`.",
    "https://scalars.graphql.org/andimarek/date-time",
  ),
  JSON: scalar("JSON", "Any JSON value."),
  JSONObject: scalar("JSONObject", "A JSON object: any value under each of its keys."),
  ULID: scalar(
    "ULID",
    "A ULID: 26 characters of Crockford base32, sortable by the time of its making. Given in any case, answered in upper case.",
    "https://github.com/ulid/spec",
  ),
  EventCursor: scalar(
    "EventCursor",
    "A place in the event log of this server, opaque to clients: keep the last one, and resume after it.",
  ),
  WholeNumber: scalar(
    "WholeNumber",
    "A whole number of any size: a JSON number up to 2^53 - 1, beyond it decimal digits in a string.",
  ),
  EventSeq: scalar(
    "EventSeq",
    "The number of an event in the log: from 1, without a gap, in the order of commits. Decimal digits in a string, since it may outgrow JSON numbers.",
  ),
};

function scalar(name: string, description: string, specifiedByURL?: string): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    description,
    specifiedByURL,
    serialize: (value) => (typeof value === "bigint" ? String(value) : value),
    parseValue: (value) => value,
    parseLiteral: literalValue,
  });
}

/** The JSON value that a literal stands for; `__proto__` is a key like any other. */
function literalValue(node: ValueNode, variables?: Readonly<Record<string, unknown>> | null): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.BOOLEAN:
    case Kind.STRING:
    case Kind.ENUM:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((value) => literalValue(value, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, literalValue(value, variables)]),
      );
    case Kind.VARIABLE:
      return given(variables ?? {}, node.name.value);
    default:
      return node satisfies never;
  }
}

/** A variable's value; null where it was not given, whatever objects inherit under its name. */
function given(variables: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(variables, name) ? variables[name] : null;
}
