import { describe, expect, it } from "vitest";
import { parseUlid, ulidGenerator } from "../../src/plan/identifiers.js";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

describe("reading a ULID", () => {
  it("accepts upper, lower and mixed case and answers upper case", () => {
    expect(parseUlid(ID)).toBe(ID);
    expect(parseUlid(ID.toLowerCase())).toBe(ID);
    expect(parseUlid("01arz3NDEKtsv4RRFFQ69G5fav")).toBe(ID);
    expect(parseUlid(`7${"Z".repeat(25)}`)).toBe(`7${"Z".repeat(25)}`);
  });

  it.each([
    ["nothing", ""],
    ["25 characters", ID.slice(1)],
    ["27 characters", `${ID}0`],
    ["a first character over 7", `8${ID.slice(1)}`],
    ["I", `${ID.slice(0, 25)}I`],
    ["L", `${ID.slice(0, 25)}l`],
    ["O", `${ID.slice(0, 25)}O`],
    ["U", `${ID.slice(0, 25)}u`],
    ["the Kelvin sign", `${ID.slice(0, 25)}\u212A`],
    ["a dotless i", `${ID.slice(0, 25)}ı`],
    ["the long s", `${ID.slice(0, 25)}ſ`],
    ["full-width digits", `０${ID.slice(1)}`],
    ["a line break at the end", `${ID}\n`],
    ["a space in front", ` ${ID}`],
  ])("refuses %s", (_, text) => {
    expect(parseUlid(text)).toBeNull();
  });
});

describe("making ULIDs", () => {
  it("gives ids that can be read back as they are", () => {
    const next = ulidGenerator(() => 1_700_000_000_000);
    const id = next();
    expect(parseUlid(id)).toBe(id);
  });

  it("grows within one millisecond and when the clock steps back", () => {
    const clock = [5_000, 5_000, 5_000, 4_000, 1, 5_001, 5_000];
    const next = ulidGenerator(() => clock.shift() ?? 0);
    const ids = Array.from({ length: 7 }, next);
    expect(new Set(ids).size).toBe(7);
    expect([...ids].sort()).toEqual(ids);
  });
});
