/** Frozen workflow plans in the database, and what one answer may read of them. */
import type { Database } from "../database/database.js";
import { sql } from "../plan/store/fragments.js";
import { FrozenPlans, type Texts, type Wanted } from "./frozen-plans.js";
import {
  type OpenedPlan,
  opened,
  type RevisionWindow,
  type WorkflowReads,
  type WorkflowReadsOf,
} from "./reading.js";
import type { WorkflowRevision } from "./revision.js";
import { together } from "./together.js";
import { Usage } from "./usage.js";
import { finishInPieces } from "./work.js";

export interface WorkflowStoreLimits {
  /** What the plans in memory may take, in bytes. */
  readonly maxBytes: number;
  /** What of texts one answer may hold, and show, in bytes: a list of plans with huge ones must not fill the memory. */
  readonly maxTextBytes: number;
}

/** Makes the reads of an operation; the plans in memory are of all. */
export function workflowStore(database: Database, limits: WorkflowStoreLimits): () => WorkflowReadsOf {
  const plans = new FrozenPlans(limits.maxBytes);
  return () => {
    // The last answer alone, since a context may be of a feed, whose items are known for long.
    let answer: { readonly root: unknown; readonly reads: WorkflowReads } | undefined;
    return (root) => {
      if (answer === undefined || answer.root !== root)
        answer = { root, reads: readsOfAnswer(database, plans, limits.maxTextBytes) };
      return answer.reads;
    };
  };
}

function readsOfAnswer(database: Database, plans: FrozenPlans, maxTextBytes: number): WorkflowReads {
  const usage = new Usage(maxTextBytes);
  let lastStatement: Promise<unknown> = Promise.resolve();

  /** One statement after the other, so that each knows what those before it have brought. */
  function readTexts(wanted: readonly Wanted[]): Promise<Texts> {
    const texts = lastStatement.then(async () => {
      const found = await textsOf(database, wanted, usage.heldLeft);
      for (const [digest, text] of found) if (text !== null) usage.read(digest, text);
      return found;
    });
    lastStatement = texts.catch(() => {});
    return texts;
  }

  const read: (wanted: Wanted) => Promise<OpenedPlan | null> = together((all) => {
    const readings = plans.read(all, readTexts);
    return all.map(async (one, index) => {
      const reading = readings[index];
      const plan = await reading?.plan;
      // Another answer that began to read it may have had no room for it.
      return plan ?? (reading?.isBegunHere ? null : read(one));
    });
  });
  const list = together<RevisionWindow, readonly WorkflowRevision[]>((windows) => {
    const found = readRevisions(database, windows);
    return windows.map(async (_, index) => (await found).get(index) ?? []);
  });

  return {
    async content(planId, { revision, digest, content }) {
      const plan =
        plans.get(digest) ??
        (content === undefined
          ? await read({ planId, revision, digest })
          : plans.keep(await finishInPieces(opened(content))));
      return plan !== null && usage.hold(digest, plan.canonicalText) ? plan : null;
    },
    revisions: (window) => list(window),
    usage,
  };
}

/** The texts in the order in which they are asked for, as long as they are within `maxBytes` together. */
async function textsOf(database: Database, wanted: readonly Wanted[], maxBytes: number): Promise<Texts> {
  const rows = await database.read<{ digest: string; text: string | null }>(sql`
    SELECT s.digest, CASE WHEN s.bytes <= ${maxBytes}::int THEN s.canonical_text END AS text
    FROM (SELECT a.digest, w.canonical_text,
        sum(octet_length(w.canonical_text)) OVER (ORDER BY a.place) AS bytes
      FROM unnest(${wanted.map(({ planId }) => planId)}::text[], ${wanted.map(({ revision }) => revision)}::int[],
        ${wanted.map(({ digest }) => digest)}::text[]) WITH ORDINALITY AS a(plan_id, revision, digest, place)
      JOIN workflow_revision w ON w.plan_id = a.plan_id AND w.revision = a.revision) s`);
  return new Map(rows.map(({ digest, text }) => [digest, text]));
}

/** The revisions in each of the windows, by the place of the window. */
async function readRevisions(
  database: Database,
  windows: readonly RevisionWindow[],
): Promise<ReadonlyMap<number, readonly WorkflowRevision[]>> {
  const rows = await database.read<{ window: number; revisions: string }>(sql`
    SELECT a.place::int AS window, json_agg(json_build_object('revision', w.revision, 'digest', w.digest,
      'itemCount', w.item_count, 'frozenAt', w.frozen_at) ORDER BY w.revision)::text AS revisions
    FROM unnest(${windows.map(({ planId }) => planId)}::text[], ${windows.map(({ after }) => after)}::int[],
      ${windows.map(({ before }) => before)}::int[], ${windows.map(({ size }) => size)}::int[])
      WITH ORDINALITY AS a(plan_id, after, before, size, place)
    CROSS JOIN LATERAL (SELECT * FROM workflow_revision w
      WHERE w.plan_id = a.plan_id AND w.revision > a.after AND w.revision < a.before
      ORDER BY w.revision LIMIT a.size) w
    GROUP BY a.place`);
  return new Map(
    rows.map(({ window, revisions }) => [
      window - 1,
      (JSON.parse(revisions) as WorkflowRevision[]).map((one) => ({
        ...one,
        frozenAt: new Date(one.frozenAt).toISOString(),
      })),
    ]),
  );
}
