/** What every resolver has at hand: who asks, and the rooms that answer. */
import type { CountsBoard } from "../events/counts-board.js";
import type { Feeds } from "../events/feeds.js";
import type { PlanCommands } from "../plan/commands/commands.js";
import type { NamespacedName } from "../plan/plan.js";
import type { PlanReads } from "../plan/reading.js";
import type { WorkflowReadsOf } from "../workflow/reading.js";

export interface Context {
  /** Who does it, by the header `x-phaseline-actor` or the connection parameter `actor`. */
  readonly actor: NamespacedName;
  readonly plans: PlanReads;
  readonly commands: PlanCommands;
  /** Told of a command that was answered before it came to `commands`: its name, and the code of its refusal. */
  readonly commandAnswered: (command: string, result: string) => void;
  readonly workflows: WorkflowReadsOf;
  readonly feeds: Feeds;
  readonly counts: CountsBoard;
  /** The head of the log as it was when this was first called in the operation. */
  readonly asOf: () => Promise<bigint>;
  /** The cursor with which an event stream is taken up again (`Last-Event-ID`); null where there is none. */
  readonly resumeAfter: string | null;
  /** Takes the cursor of the feed's item that is answered next; an event stream carries it as the event's id. */
  readonly noteCursor: (cursor: string) => void;
  /**
   * The operation itself. `noteSuccess` takes the response key of a mutation that has changed something: should its
   * answer fail, the errors say so.
   */
  readonly operation: { noteSuccess(mutation: string): void };
}
