/** A page of the 20 newest plans with links, invariants, phases and the counts of their children. */
import { openReaders } from "../places/readers.mjs";
import { measureReading } from "./reading.mjs";

/** @type {import("../main.mjs").Work<import("../places/readers.mjs").Readers>} */
export const nestedList = {
  name: "nested-list",
  title: "a page of 20 nested plans",
  open: openReaders,
  measure: (readers, run) =>
    measureReading("nested-list", readers, run, (words) => [words.list(20)], {
      "PostGraphile 5": 4,
      "Yoga + Pothos + plugin-prisma": 4,
      "Apollo Server + Prisma": 4,
      "limit: one SQL statement": 2,
    }),
};
