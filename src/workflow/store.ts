/**
 * Frozen workflow plans in the database. Their texts are never changed, so a plan that was read once, verified by
 * its digest, is kept in memory under that digest, whichever plans have it.
 */
import { LRUCache } from "lru-cache";
import type { Database } from "../database/database.js";
import { sql } from "../plan/store/fragments.js";
import { type OpenedPlan, opened, type RevisionWindow, type WorkflowReads } from "./reading.js";
import type { WorkflowRevision } from "./revision.js";
import { together } from "./together.js";
import { openFrozen } from "./validate.js";
import { finishInPieces } from "./work.js";

/** How much larger a plan is as objects, its text among them, than its text alone, roughly. */
const OBJECT_FACTOR = 4;

interface Wanted {
  readonly planId: string;
  readonly revision: number;
  readonly digest: string;
}

export interface WorkflowStoreLimits {
  /** What the plans in memory may take, in bytes. */
  readonly maxBytes: number;
  /** What of texts one statement reads, in bytes: a list of plans with huge ones must not fill the memory. */
  readonly maxTextBytes: number;
}

/** Makes the reads of an operation; the plans in memory are of all. */
export function workflowStore(
  database: Database,
  { maxBytes, maxTextBytes }: WorkflowStoreLimits,
): () => WorkflowReads {
  const kept = new LRUCache<string, OpenedPlan>({ maxSize: maxBytes, maxEntrySize: maxBytes });
  /** What is being read; whoever needs one of these waits for it. */
  const reading = new Map<string, Promise<OpenedPlan | null>>();

  function keep(plan: OpenedPlan): OpenedPlan {
    kept.set(plan.digest, plan, { size: OBJECT_FACTOR * plan.canonicalText.length });
    return plan;
  }

  /** One statement for all that nobody is reading yet; texts beyond the limit are left out. */
  function readAll(all: readonly Wanted[]): Promise<OpenedPlan | null>[] {
    const missing = new Map(
      all.filter(({ digest }) => !reading.has(digest) && !kept.has(digest)).map((one) => [one.digest, one]),
    );
    if (missing.size > 0) {
      const texts = readTexts([...missing.values()]);
      for (const one of missing.values()) {
        const plan = open(one, texts).finally(() => reading.delete(one.digest));
        reading.set(one.digest, plan);
      }
    }
    return all.map(({ digest }) => reading.get(digest) ?? Promise.resolve(kept.get(digest) ?? null));
  }

  async function open(wanted: Wanted, texts: Promise<ReadonlyMap<string, string | null>>) {
    const { planId, revision, digest } = wanted;
    const canonicalText = (await texts).get(digest);
    if (canonicalText === null) return null;
    if (canonicalText === undefined) throw new Error(`Plan ${planId} has no workflow revision ${revision}`);
    try {
      const plan = await finishInPieces(openFrozen({ canonicalText, digest }));
      return keep(await finishInPieces(opened({ plan, canonicalText, digest })));
    } catch (cause) {
      throw new Error(`The workflow revision ${revision} of plan ${planId} can't be read`, { cause });
    }
  }

  async function readTexts(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, string | null>> {
    const rows = await database.read<{ digest: string; text: string | null }>(sql`
      SELECT s.digest, CASE WHEN s.bytes <= ${maxTextBytes}::int THEN s.canonical_text END AS text
      FROM (SELECT a.digest, w.canonical_text,
          sum(octet_length(w.canonical_text)) OVER (ORDER BY a.place) AS bytes
        FROM unnest(${wanted.map(({ planId }) => planId)}::text[], ${wanted.map(({ revision }) => revision)}::int[],
          ${wanted.map(({ digest }) => digest)}::text[]) WITH ORDINALITY AS a(plan_id, revision, digest, place)
        JOIN workflow_revision w ON w.plan_id = a.plan_id AND w.revision = a.revision) s`);
    return new Map(rows.map(({ digest, text }) => [digest, text]));
  }

  return () => {
    const read = together<Wanted, OpenedPlan | null>(readAll);
    const list = together<RevisionWindow, readonly WorkflowRevision[]>((windows) => {
      const found = readRevisions(database, windows);
      return windows.map(async (_, index) => (await found).get(index) ?? []);
    });
    return {
      content: async (planId, { revision, digest, content }) => {
        const plan = kept.get(digest);
        if (plan !== undefined) return plan;
        if (content !== undefined) return keep(await finishInPieces(opened(content)));
        return read({ planId, revision, digest });
      },
      revisions: (window) => list(window),
    };
  };
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
