import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { toInputIssues } from "../../src/plan/input-issues.js";
import { parseInstant } from "../../src/plan/instants.js";
import {
  FILTERS_LIMIT,
  pageSchema,
  planEventFilterSchema,
  planFilterSchema,
  planOrderSchema,
  readPlanEventFilter,
  readPlanFilter,
} from "../../src/plan/query-inputs.js";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const faults = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : toInputIssues(error).map(({ path, code }) => `${path}: ${code}`);
};

describe("a filter of plans", () => {
  it("may ask for anything, nested, and for nothing", () => {
    expect(faults(planFilterSchema, {})).toEqual([]);
    expect(
      faults(planFilterSchema, {
        ids: [ID.toLowerCase()],
        rootPlanId: ID,
        parentPlanId: null,
        hasParent: false,
        phases: ["EXECUTE"],
        states: [],
        actionNames: ["Review", "hub:team/x"],
        automationLevels: ["MANUAL"],
        tags: { any: ["a"], all: null },
        nameContains: "",
        createdAfter: "2026-01-01T00:00:00+02:00",
        and: [{ or: [{ not: { states: ["ERRORED"] } }] }],
      }),
    ).toEqual([]);
  });

  it("reports every fault with its path, nested ones too", () => {
    expect(
      faults(planFilterSchema, {
        ids: ["x", ID],
        actionNames: ["a b"],
        updatedBefore: "yesterday",
        nameContains: "\u0000",
        and: [{}, { not: { projectNames: ["/"], createdAfter: 5 } }],
      }),
    ).toEqual([
      "ids[0]: MALFORMED",
      "actionNames[0]: MALFORMED",
      "nameContains: NOT_STORABLE",
      "updatedBefore: MALFORMED",
      "and[1].not.projectNames[0]: MALFORMED",
      "and[1].not.createdAfter: WRONG_TYPE",
    ]);
  });

  it("has at most a hundred values in a condition", () => {
    expect(faults(planFilterSchema, { ids: Array(101).fill(ID) })).toEqual(["ids: TOO_MANY"]);
  });

  it("is refused when it is made of too many filters, side by side or nested", () => {
    const beside = (count: number) => ({ and: Array(count).fill({}) });
    expect(faults(planFilterSchema, beside(FILTERS_LIMIT - 1))).toEqual([]);
    expect(faults(planFilterSchema, beside(FILTERS_LIMIT))).toEqual([": TOO_MANY"]);
    expect(faults(planFilterSchema, beside(1_000_000))).toEqual([": TOO_MANY"]);
    let nested: object = {};
    for (let depth = 0; depth < 100_000; depth += 1) nested = { not: nested };
    expect(faults(planFilterSchema, nested)).toEqual([": TOO_MANY"]);
  });

  it("is read into names, ids and times as they are stored", () => {
    expect(
      readPlanFilter({
        ids: [ID.toLowerCase()],
        actors: ["Bot"],
        hasParent: true,
        or: [{ createdAfter: "2026-01-01T00:00:00+02:00" }],
        not: { rootPlanId: ID.toLowerCase(), tags: { any: ["T"] } },
      }),
    ).toMatchObject({
      ids: [ID],
      actors: ["local/bot"],
      actionNames: null,
      hasParent: true,
      or: [{ createdAfter: "2025-12-31T22:00:00.000Z" }],
      not: { rootPlanId: ID, tags: { any: ["T"] } },
    });
  });
});

describe("a filter of events", () => {
  it("reports every fault with its path", () => {
    expect(faults(planEventFilterSchema, { types: ["PLAN_CREATED"], tags: ["a"], planIds: [ID] })).toEqual(
      [],
    );
    expect(
      faults(planEventFilterSchema, { planIds: ["x"], types: ["NEWS"], tags: ["\uD800"], rootPlanId: 1 }),
    ).toEqual([
      "planIds[0]: MALFORMED",
      "rootPlanId: WRONG_TYPE",
      "types[0]: NOT_ALLOWED",
      "tags[0]: NOT_STORABLE",
    ]);
  });

  it("is read into names and ids as they are stored", () => {
    expect(
      readPlanEventFilter({ planIds: [ID.toLowerCase()], projectNames: ["Web"], tags: ["T"] }),
    ).toMatchObject({
      planIds: [ID],
      projectNames: ["local/web"],
      tags: ["T"],
    });
  });
});

describe("an order of plans", () => {
  it("names each field at most once", () => {
    const by = (...fields: string[]) => fields.map((field) => ({ field, direction: "ASC" }));
    expect(faults(planOrderSchema, by("NAME", "STATE", "CREATED_AT", "UPDATED_AT", "PHASE"))).toEqual([]);
    expect(faults(planOrderSchema, by("NAME", "STATE", "NAME"))).toEqual(["[2]: DUPLICATE"]);
  });
});

describe("a page", () => {
  it.each([
    {},
    { first: 0 },
    { first: 100, after: "c" },
    { last: 5, before: "c" },
    { after: "c" },
    { before: "c" },
  ])("may be %j", (page) => {
    expect(faults(pageSchema, { first: null, ...page })).toEqual([]);
  });

  it.each([
    [{ first: -1 }, ["first: OUT_OF_RANGE"]],
    [{ last: 101 }, ["last: OUT_OF_RANGE"]],
    [{ first: 1, last: 1 }, ["last: NOT_ALLOWED"]],
    [{ first: 1, before: "c" }, ["before: NOT_ALLOWED"]],
    [{ last: 1, after: "c" }, ["last: NOT_ALLOWED"]],
    [{ after: "c", before: "c" }, ["before: NOT_ALLOWED"]],
    [{ first: 101, last: 1 }, ["first: OUT_OF_RANGE", "last: NOT_ALLOWED"]],
  ])("must not be %j", (page, expected) => {
    expect(faults(pageSchema, page)).toEqual(expected);
  });

  it("lets the filter and the order beside it pass", () => {
    const page = { first: 1, filter: { phases: ["APPLY"] }, orderBy: [{ field: "NAME", direction: "ASC" }] };
    expect(pageSchema.parse(page)).toEqual(page);
  });
});

describe("a point in time", () => {
  it.each([
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123Z"],
    ["2026-01-31T00:30:00+01:00", "2026-01-30T23:30:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  ])("is read from %s", (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it.each([
    "",
    "2026-01-31",
    "2026-01-31T12:00:00",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T12:00:00Z\n",
    " 2026-01-31T12:00:00Z",
    "0000-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    "+012026-01-31T12:00:00Z",
    "1769860800000",
  ])("is not read from %j", (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});
