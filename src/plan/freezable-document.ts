/**
 * The document of a freezing. Its rules are those of the workflow plan's own format; the only schema that changes
 * what it checks, because reading a large document is too much work to be done twice.
 */
import { z } from "zod";
import { type CheckedPlan, checkDocument, type WorkflowPlanDocument } from "../workflow/validate.js";
import { finishInPieces } from "../workflow/work.js";

/** A document that can be frozen, read piece by piece; the issues keep the paths and codes of the format. */
export const freezableDocument = z
  .custom<WorkflowPlanDocument>()
  .transform(async (document, context): Promise<CheckedPlan> => {
    const { issues, freezeIssues, workflowPlan } = await finishInPieces(checkDocument(document));
    for (const { path, code, message } of [...issues, ...freezeIssues]) {
      context.addIssue({ code: "custom", message, params: { code, inside: path } });
    }
    return workflowPlan ?? z.NEVER;
  });
