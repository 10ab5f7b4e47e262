/** The same page while another process makes a hundred transitions a second, all of the plans at its head. */
import { publishSteadily, startChanges } from "../load/publisher.mjs";
import { openReaders } from "../places/readers.mjs";
import { measureReading } from "./reading.mjs";

const CHANGES_PER_SECOND = 100;

/** @type {import("../main.mjs").Work<import("../places/readers.mjs").Readers>} */
export const changingList = {
  name: "changing-list",
  title: "a page of 20 nested plans while 100 plans change each second",
  open: openReaders,
  async measure(readers, run) {
    const changes = await startChanges(readers.databaseUrl);
    const stopping = new AbortController();
    const changing = publishSteadily(changes, CHANGES_PER_SECOND, Number.POSITIVE_INFINITY, stopping.signal);
    try {
      return await measureReading("changing-list", readers, run, (words) => [words.list(20)], {
        "PostGraphile 5": 3,
      });
    } finally {
      stopping.abort();
      const { perSecond } = await changing;
      run.note(`${perSecond.toFixed(0)} plans changed each second`);
      changes.disconnect();
    }
  },
};
