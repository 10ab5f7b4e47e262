/** What can be read of workflow plans besides what every plan knows of its own (see revision). */
import { type ItemIndex, indexItems } from "./item-index.js";
import type { WorkflowRevision } from "./revision.js";
import type { Usage } from "./usage.js";
import type { CheckedPlan } from "./validate.js";
import type { Work } from "./work.js";

/** A workflow plan whose items can be found. */
export interface OpenedPlan extends CheckedPlan {
  readonly items: ItemIndex;
}

export function* opened(content: CheckedPlan): Work<OpenedPlan> {
  return { ...content, items: yield* indexItems(content.plan.items) };
}

/** Which earlier revisions of a plan: the first `size` after one and before another. */
export interface RevisionWindow {
  readonly planId: string;
  readonly after: number;
  readonly before: number;
  readonly size: number;
}

/** The reads of one answer; those that are asked for in one turn of the event loop are one statement. */
export interface WorkflowReads {
  /**
   * The workflow plan of a revision, exactly as it was frozen. Null where the answer would hold more text than it
   * may; rejects where the stored text is not what was frozen.
   */
  content(planId: string, revision: WorkflowRevision): Promise<OpenedPlan | null>;
  revisions(window: RevisionWindow): Promise<readonly WorkflowRevision[]>;
  readonly usage: Usage;
}

/**
 * The reads of the answer to a root: an operation has one answer and no root, a feed one for each of its items, and
 * each may take as much as any other.
 */
export type WorkflowReadsOf = (root: unknown) => WorkflowReads;
