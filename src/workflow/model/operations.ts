/** What an item does (workflow-plan.md §4): the core operations, the registry of actions, and all others. */
import { isExactObject, nameOfValue } from "../exact-json.js";
import type { Shape, ValueOf, VariantsShape } from "../shape.js";
import { cliPayload } from "./commands.js";
import { type execution, loopBoundary, type owner } from "./enumerations.js";
import { notBlank } from "./texts.js";
import {
  anyObject,
  enumeration,
  integer,
  list,
  nullable,
  object,
  positive,
  required,
  sparse,
  strictObject,
  text,
} from "./words.js";

/** Who carries an operation out, and how: fixed for all but unregistered actions. */
export interface Carrier {
  readonly owner: ValueOf<typeof owner>;
  readonly execution: ValueOf<typeof execution>;
}

const BY_AGENT: Carrier = { owner: "agent", execution: "agent_instruction" };
const BY_RUNTIME: Carrier = { owner: "ww", execution: "automatic" };

const promptPayload = object("prompt payload", "What an agent is told.", {
  text: required(text, "What the agent is told."),
});
const namePayload = (what: string) =>
  object(`${what} payload`, `The name of a ${what}.`, { name: required(text, `The ${what} to use.`) });
const mcpPayload = object("mcp payload", "A prompt of a tool server.", {
  connection: required(text, "The connection to the tool server."),
  prompt: required(text, "The prompt of that server to use."),
});
const extensionPayload = object("extension payload", "An extension of the runtime, and what it gets.", {
  reference: required(text, "Which extension runs."),
  version: required(nullable(text), "The version of the extension that the plan was made with."),
  api_version: required(nullable(integer), "The version of the interface between runtime and extension."),
  source: required(nullable(text), "Where the extension comes from."),
  fingerprint: required(nullable(text), "What its code must hash to."),
  settings: required(nullable(anyObject), "Its settings, kept as they were written."),
  arguments: sparse(list(text), [], "The arguments that it gets."),
});

/** The registered actions. */
export const ACTIONS = {
  prompt: { carrier: BY_AGENT, shape: action("prompt", promptPayload) },
  skill: { carrier: BY_AGENT, shape: action("skill", namePayload("skill")) },
  slash_command: { carrier: BY_AGENT, shape: action("slash_command", namePayload("slash command")) },
  mcp: { carrier: BY_AGENT, shape: action("mcp", mcpPayload) },
  cli: { carrier: BY_RUNTIME, shape: action("cli", cliPayload) },
  extension: { carrier: BY_RUNTIME, shape: action("extension", extensionPayload) },
} as const;

const unregisteredAction = object("action", "Something to do, by the name of the action.", {
  type: required(typeIs("action"), "The kind of operation."),
  identifier: required(text, "Which action; this server does not know it."),
  payload: required(anyObject, "What the action gets, kept as it was written."),
});

const launch = strictObject("launch", "How a child is started, where that differs.", {
  workflow: sparse(text, null, "The workflow that starts instead."),
  runtime: sparse(text, null, "The runtime that it starts in."),
  model: sparse(text, null, "The model that it starts with."),
  reasoning: sparse(text, null, "The reasoning effort that it starts with."),
  agent: sparse(text, null, "The agent that it starts with."),
});

/** The operations that are no actions. */
export const CORE_OPERATIONS = {
  loop: {
    carrier: { owner: "ww", execution: "loop_control" },
    shape: object("loop", "The beginning or the end of a loop.", {
      type: required(typeIs("loop"), "The kind of operation."),
      loop_id: required(notBlank, "The loop that it bounds."),
      boundary: required(loopBoundary, "Which end of the loop it is."),
      max_times: required(positive, "How many rounds there may be."),
    }),
  },
  workflow_transition: {
    carrier: { owner: "ww", execution: "workflow_transition" },
    shape: object("workflow transition", "The handing over to another workflow.", {
      type: required(typeIs("workflow_transition"), "The kind of operation."),
      target: required(notBlank, "The workflow that goes on from here."),
    }),
  },
  child_workflow: {
    carrier: { owner: "ww", execution: "agent_instruction" },
    shape: object("child workflow", "A workflow that runs as a child of this one.", {
      type: required(typeIs("child_workflow"), "The kind of operation."),
      workflow: required(notBlank, "The workflow that the child runs."),
      launch: sparse(nullable(launch), null, "How the child is started, where that differs."),
    }),
  },
} as const;

type CoreShape = (typeof CORE_OPERATIONS)[keyof typeof CORE_OPERATIONS]["shape"];
type ActionShape = (typeof ACTIONS)[keyof typeof ACTIONS]["shape"];
type OperationShape = CoreShape | ActionShape | typeof unregisteredAction;

export const operation: VariantsShape<OperationShape, ValueOf<OperationShape>> = {
  kind: "variants",
  name: "operation",
  means: "What carrying an item of a workflow plan out consists of.",
  options: [
    ...Object.values(CORE_OPERATIONS).map((core) => core.shape),
    ...Object.values(ACTIONS).map((registered) => registered.shape),
    unregisteredAction,
  ],
  choose(value, report) {
    if (!isExactObject(value)) {
      report.refuse("WRONG_TYPE", `Must be an object with a type, not ${nameOfValue(value)}.`);
      return undefined;
    }
    const type = value.get("type");
    const known = ["action", ...Object.keys(CORE_OPERATIONS)].join(", ");
    if (type === undefined) report.refuse("MISSING_KEY", `Must be there: one of ${known}.`, "type");
    else if (typeof type !== "string")
      report.refuse("WRONG_TYPE", `Must be one of ${known}, not ${nameOfValue(type)}.`, "type");
    else if (type === "action") return actionShape(value.get("identifier"));
    else if (isKeyOf(CORE_OPERATIONS, type)) return CORE_OPERATIONS[type].shape;
    else report.refuse("UNKNOWN_VALUE", `Must be one of ${known}, not ${nameOfValue(type)}.`, "type");
    return undefined;
  },
  shapeOf: (value) =>
    value.type === "action" ? actionShape(value.identifier) : CORE_OPERATIONS[value.type].shape,
};

export type Operation = ValueOf<typeof operation>;

/** Who must carry an operation out; null where anyone may. */
export function carrierOf(type: Operation["type"], identifier: string | undefined): Carrier | null {
  if (type !== "action") return CORE_OPERATIONS[type].carrier;
  return identifier !== undefined && isKeyOf(ACTIONS, identifier) ? ACTIONS[identifier].carrier : null;
}

/** The shape of an action, registered or not. */
export function actionShape(identifier: unknown): ActionShape | typeof unregisteredAction {
  return typeof identifier === "string" && isKeyOf(ACTIONS, identifier)
    ? ACTIONS[identifier].shape
    : unregisteredAction;
}

function action<const I extends string, P extends Shape>(identifier: I, payload: P) {
  return object(identifier, "A registered action.", {
    type: required(typeIs("action"), "The kind of operation."),
    identifier: required(
      enumeration("identifier", "The name of the action.", { [identifier]: "The action." } as Record<
        I,
        string
      >),
      "Which action.",
    ),
    payload: required(payload, "What the action gets."),
  });
}

function typeIs<const T extends string>(type: T) {
  return enumeration("operation type", "The kind of operation.", { [type]: "The type." } as Record<
    T,
    string
  >);
}

function isKeyOf<T extends object>(table: T, key: string): key is keyof T & string {
  return Object.hasOwn(table, key);
}
