/** What an item does, in the API: the union of the operations, and what each registered action gets. */
import { builder } from "../../graphql/builder.js";
import { command, condition } from "../model/commands.js";
import { ACTIONS, actionShape, CORE_OPERATIONS, type Operation, operation } from "../model/operations.js";
import type { ValueOf } from "../shape.js";
import { camelCase, interfaceOf, objectOf, standsFor, textOf } from "./model-types.js";
import { shownText, usageOf } from "./shown-text.js";

type ActionOperation = Extract<Operation, { readonly type: "action" }>;

const ConditionRef = builder.objectRef<ValueOf<typeof condition>>("WorkflowOutputCondition").implement({
  description: condition.means,
  fields: (t) => ({
    empty: t.boolean({
      description: "Whether the command must print nothing.",
      resolve: (value) => value === "empty",
    }),
    equals: t.string({
      nullable: true,
      description: "What the command must print; null where it must print nothing.",
      resolve: (value) => (value === "empty" ? null : value.equals),
    }),
  }),
});
standsFor(condition, ConditionRef);
interfaceOf(command);

const ActionOperationRef = builder.objectRef<ActionOperation>("ActionOperation").implement({
  description:
    "An action. One that the server knows has its payload in the field of its name too; of any other it is in `payload` alone.",
  fields: (t) => ({
    identifier: t.exposeString("identifier", { description: "Which action." }),
    payload: t.field({
      type: "JSONObject",
      description: "What the action gets.",
      resolve: (action, _args, context, info) =>
        JSON.parse(shownText(usageOf(context, info), () => payloadText(action))),
    }),
    payloadJson: t.string({
      description: "What the action gets, as exact JSON text.",
      resolve: (action, _args, context, info) => shownText(usageOf(context, info), () => payloadText(action)),
    }),
  }),
});
for (const [identifier, { shape }] of Object.entries(ACTIONS)) {
  const payload = shape.fields.payload.shape;
  const PayloadRef = objectOf(payload);
  builder.objectField(ActionOperationRef, camelCase(identifier), (t) =>
    t.field({
      type: PayloadRef,
      nullable: true,
      description: `${payload.means} Null unless the action is \`${identifier}\`.`,
      resolve: (action) => (action.identifier === identifier ? action.payload : null) as never,
    }),
  );
}

const CORE_NAMES = {
  loop: "LoopOperation",
  workflow_transition: "WorkflowTransitionOperation",
  child_workflow: "ChildWorkflowOperation",
} satisfies Record<keyof typeof CORE_OPERATIONS, string>;
const coreRefs = Object.entries(CORE_NAMES).map(([type, name]) =>
  objectOf(CORE_OPERATIONS[type as keyof typeof CORE_OPERATIONS].shape, { name, without: ["type"] }),
);

standsFor(
  operation,
  builder.unionType("WorkflowOperation", {
    description: operation.means,
    types: [ActionOperationRef, ...coreRefs],
    resolveType: (value) => nameOfOperation(value as Operation),
  }),
);

function nameOfOperation({ type }: Operation): string {
  return type === "action" ? "ActionOperation" : CORE_NAMES[type];
}

function payloadText(action: ActionOperation): string {
  return textOf(actionShape(action.identifier).fields.payload.shape, action.payload);
}
