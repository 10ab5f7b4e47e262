import { describe, expect, it } from "vitest";
import { judgeHistory, type Migration, readMigrations } from "../../src/database/migrations.js";

const first: Migration = { name: "1_first", script: "", checksum: "a" };
const second: Migration = { name: "2_second", script: "", checksum: "b" };
const recorded = ({ name, checksum }: Migration) => ({ name, checksum, finished: true });

describe("the history of a database", () => {
  it("is empty where there is no table: all is to be applied", () => {
    expect(judgeHistory({ recorded: null, hasTables: false }, [first, second])).toEqual({
      pending: [first, second],
    });
  });

  it("is another program's where there are tables and no record", () => {
    expect(judgeHistory({ recorded: null, hasTables: true }, [first])).toEqual({
      refusal: "it holds tables that Phaseline did not make",
    });
  });

  it("is behind where the last migrations are missing", () => {
    const history = { recorded: [recorded(first)], hasTables: true };
    expect(judgeHistory(history, [first, second])).toEqual({ pending: [second] });
  });

  it("is complete where all are recorded", () => {
    const history = { recorded: [recorded(first), recorded(second)], hasTables: true };
    expect(judgeHistory(history, [first, second])).toEqual({ pending: [] });
  });

  it("is newer than this version where it names a migration unknown here", () => {
    const history = { recorded: [recorded(first), recorded(second)], hasTables: true };
    expect(judgeHistory(history, [first])).toEqual({
      refusal: "it has the migration 2_second, which this version does not know",
    });
  });

  it("is broken where a migration did not finish", () => {
    const history = { recorded: [{ ...recorded(first), finished: false }], hasTables: true };
    expect(judgeHistory(history, [first])).toEqual({
      refusal: "its migration 1_first failed and was not resolved",
    });
  });

  it("is another one where a migration was changed after it was applied", () => {
    const history = { recorded: [{ ...recorded(first), checksum: "x" }], hasTables: true };
    expect(judgeHistory(history, [first])).toEqual({
      refusal: "its migration 1_first differs from the one of this version",
    });
  });
});

describe("the migrations of this version", () => {
  it("stand in the order of their names", async () => {
    const names = (await readMigrations()).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names).toEqual([...names].sort());
  });
});
