/** Writes values of scalars and enums as JSON text. */
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLID,
  type GraphQLLeafType,
  GraphQLString,
} from "graphql";
import { writeJson } from "../json-writing.js";

/** The text of a value that is there; throws where the type does not know the value. */
export type WriteLeaf = (value: unknown) => string;

export function leafWriter(type: GraphQLLeafType): WriteLeaf {
  if (type === GraphQLString || type === GraphQLID) {
    return (value) => (typeof value === "string" ? JSON.stringify(value) : serialized(type, value));
  }
  if (type === GraphQLBoolean) {
    return (value) => (typeof value === "boolean" ? String(value) : serialized(type, value));
  }
  if (type instanceof GraphQLEnumType) {
    const texts = new Map(type.getValues().map(({ name, value }) => [value, JSON.stringify(name)]));
    return (value) => texts.get(value) ?? serialized(type, value);
  }
  return (value) => serialized(type, value);
}

function serialized(type: GraphQLLeafType, value: unknown): string {
  const plain = plainValue(type, value);
  if (plain == null) throw new Error(`The type ${type.name} has no text for one of its values.`);
  return writeJson(plain);
}

/** What a type throws about a value of the server's own is no news to clients, whatever form the error has. */
function plainValue(type: GraphQLLeafType, value: unknown): unknown {
  try {
    return type.serialize(value);
  } catch (error) {
    if (error instanceof GraphQLError) throw new Error(error.message, { cause: error });
    throw error;
  }
}
