/** One nested plan after the other, by ids at random. */
import { planId } from "../data/fill.mjs";
import { openReaders } from "../places/readers.mjs";
import { measureReading } from "./reading.mjs";

const IDS = 2_000;

/** @type {import("../main.mjs").Work<import("../places/readers.mjs").Readers>} */
export const planById = {
  name: "plan-by-id",
  title: "one nested plan by its id, ids at random",
  open: openReaders,
  measure(readers, run) {
    const ids = Array.from({ length: IDS }, () => planId(1 + Math.floor(Math.random() * readers.plans)));
    return measureReading("plan-by-id", readers, run, (words) => ids.map(words.plan), {
      "PostGraphile 5": 4,
    });
  },
};
