/**
 * A process that changes plans as another process of the product would: in its tables, with the head of its log.
 * It is forked by `publisher.mjs`.
 */
import pg from "pg";
import { changePlans } from "../data/changes.mjs";
import { answerPublishing } from "../peers/publishing.mjs";

const client = new pg.Client(process.argv[2]);
await client.connect();

/** Plans that the circle of transitions can go on with, the newest first: those that lists show. */
const { rows } = await client.query(
  `SELECT id FROM plan WHERE state IN ('QUEUED', 'PROCESSING', 'ERRORED') AND phase <> 'APPLIED'
  ORDER BY created_at DESC, id DESC LIMIT 100`,
);
let turn = 0;

answerPublishing(async (count, noteBytes, handedOver) => {
  const ids = Array.from({ length: count }, (_, index) => rows[(turn + index) % rows.length].id);
  turn += count;
  const data = noteBytes === 0 ? {} : { note: "x".repeat(noteBytes) };
  await changePlans(client, ids, data, handedOver);
});
process.once("disconnect", () => client.end());
process.send?.("serving");
