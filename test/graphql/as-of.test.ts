import { execute, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { phaselineSchema } from "../../src/graphql/schema.js";

const LEVELS = 40;

/** Fragments of which each spreads the next one twice, and the last one asks for `fields`. */
function nestedTwice(fields: string): string {
  const fragments = Array.from({ length: LEVELS }, (_, level) => {
    const below = level + 1 < LEVELS ? `...F${level + 1} ...F${level + 1}` : fields;
    return `fragment F${level} on Query { ${below} }`;
  });
  return `{ ...F0 } ${fragments.join(" ")}`;
}

describe("the look for asOf", () => {
  it.each([
    ["finds it", "lifecycle { __typename } asOf", 1],
    ["finds that it is not there", "lifecycle { __typename }", 0],
  ])(
    "looks into each fragment once, however often they spread each other, and %s",
    async (_, fields, heads) => {
      const schema = phaselineSchema();
      let asked = 0;
      const asOf = async () => {
        asked += 1;
        return 7n;
      };
      const contextValue = { asOf, feeds: { cursor: String } };
      const { errors } = await execute({ schema, document: parse(nestedTwice(fields)), contextValue });
      expect(errors).toBeUndefined();
      expect(asked > 0).toBe(heads > 0);
    },
  );
});
