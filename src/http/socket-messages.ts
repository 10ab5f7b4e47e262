/** The messages of graphql-transport-ws that carry something to a client. */
import type { ExecutionResult, GraphQLError } from "graphql";
import { writeJson } from "../json-writing.js";

/** All of a message with a result but the result and the bracket that closes it. */
export function nextStart(id: string): string {
  return `{"id":${JSON.stringify(id)},"type":"next","payload":`;
}

export function nextMessage(id: string, result: ExecutionResult): string {
  return `${nextStart(id)}${writeJson(result)}}`;
}

export function errorMessage(id: string, errors: readonly GraphQLError[]): string {
  return JSON.stringify({ id, type: "error", payload: errors });
}

export function completeMessage(id: string): string {
  return JSON.stringify({ id, type: "complete" });
}
