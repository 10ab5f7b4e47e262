/** Checks of documents that hold a workflow plan, without freezing them. */
import { builder } from "../../graphql/builder.js";
import { WorkflowPlanDocumentInput } from "../../plan/schema/inputs.js";
import { InputIssueRef } from "../../plan/schema/refusals.js";
import { checkDocument, checkRenumbered, type WorkflowPlanCheck } from "../validate.js";
import { finishInPieces } from "../work.js";
import { checkedNode, WorkflowPlanRef } from "./workflow-plan.js";

/** A document may be as much work as so many fields. */
const COST_OF_DOCUMENT = 4_000_000;

const WorkflowPlanCheckRef = builder.objectRef<WorkflowPlanCheck>("WorkflowPlanCheck").implement({
  description: "What is known about a document that holds a workflow plan.",
  fields: (t) => ({
    valid: t.boolean({
      description: "Whether the document is a workflow plan.",
      resolve: ({ workflowPlan }) => workflowPlan !== null,
    }),
    issues: t.expose("issues", {
      type: [InputIssueRef],
      description: "All that the format refuses, each with its path in the document: `$.items[3].owner`.",
    }),
    freezable: t.boolean({
      description: "Whether the workflow plan can be frozen on a plan.",
      resolve: ({ workflowPlan, freezeIssues }) => workflowPlan !== null && freezeIssues.length === 0,
    }),
    freezeIssues: t.expose("freezeIssues", {
      type: [InputIssueRef],
      description: "All that freezing would refuse besides, as far as no issue hides it.",
    }),
    workflowPlan: t.field({
      type: WorkflowPlanRef,
      nullable: true,
      description: "The workflow plan of a valid document.",
      resolve: ({ workflowPlan }, _args, { workflows }, { rootValue }) =>
        workflowPlan === null ? null : checkedNode(workflowPlan, workflows(rootValue)),
    }),
  }),
});

const documentArgs = () =>
  builder.args((t) => ({
    document: t.field({ type: WorkflowPlanDocumentInput, required: true, description: "The document." }),
  }));

builder.queryFields((t) => ({
  validateWorkflowPlan: t.field({
    type: WorkflowPlanCheckRef,
    description: "Check a workflow plan by its format, and whether it could be frozen.",
    args: documentArgs(),
    extensions: { cost: COST_OF_DOCUMENT },
    resolve: (_root, { document }) => finishInPieces(checkDocument(document)),
  }),
  numberStepPaths: t.field({
    type: WorkflowPlanCheckRef,
    description:
      "The same for the workflow plan with the step ordinals of its items numbered anew; those that it has are not looked at.",
    args: documentArgs(),
    extensions: { cost: COST_OF_DOCUMENT },
    resolve: (_root, { document }) => finishInPieces(checkRenumbered(document)),
  }),
}));
