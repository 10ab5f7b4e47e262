import { setTimeout as pause } from "node:timers/promises";
import {
  buildSchema,
  execute,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getOperationAST,
  getVariableValues,
  parse,
  validate,
} from "graphql";
import { beforeEach, describe, expect, it } from "vitest";
import { CompiledOperations } from "../../src/execution/operations.js";
import { SettledTexts } from "../../src/execution/settled.js";

/** Each field is one way in which a field can go; those of an object are reached through `item`, at once and later. */
const schema = buildSchema(/* GraphQL */ `
  scalar Any
  enum Color { RED GREEN }
  interface Named { name: String }
  union Thing = Item | Stone
  type Stone implements Named { name: String weight(unit: String = "kg"): String! }
  type Item implements Named {
    name: String
    text: String! int: Int! float: Float! flag: Boolean! id: ID! color: Color! any: Any! none: Any
    strange: String wrong: Int unknownColor: Color noScalar: Any
    missing: String! fails: String mustNotFail: String! later: String failsLater: String mustNotFailLater: String!
    thrownText: String returnedError: String
    list: [Int!]! holes: [Int] hole: [Int!] lists: [[String]] noList: [Int] laterItems: [String] failingItems: [String] failingItem: [String!]
    argument(given: String, number: Int! = 7, list: [Int!], input: Given): String
    item: Item must: Item! items: [Item!]! maybe: [Item] things: [Thing!]! named: Named unnamed: Named laterThing: Thing
  }
  input Given { a: Int b: [String!] }
  type Query { item: Item laterItem: Item must: Item! mustLater: Item! none: Item }
  type Mutation { note(what: String!, wait: Int): [String!] fail: String mustFail: String! }
`);

const notes: string[] = [];
const item: Record<string, unknown> = {
  name: "an item",
  text: 'quotes " and \u2028 lines\n',
  int: 3,
  float: 1.5,
  flag: false,
  id: 12,
  color: "RED",
  any: { a: [1, null, "x"], b: undefined },
  strange: { toString: () => "no text" },
  wrong: "three",
  unknownColor: "BLUE",
  noScalar: () => undefined,
  missing: null,
  fails: () => fail("it fails"),
  mustNotFail: () => fail("it must not fail"),
  later: async () => "later",
  failsLater: () => Promise.reject(new Error("it fails later")),
  mustNotFailLater: async () => pause(1).then(() => fail("it must not fail later")),
  thrownText: () => Promise.reject("a text"),
  returnedError: new Error("it was returned"),
  list: new Set([1, 2]),
  holes: [1, null, "x", 4],
  hole: [1, null],
  lists: [["a", null], null, []],
  noList: "12",
  laterItems: [Promise.resolve("a"), "b", Promise.resolve(null)],
  failingItems: ["a", Promise.reject(new Error("an item fails")), new Error("another fails"), "b"],
  failingItem: ["a", Promise.reject(new Error("an item fails"))],
  argument: (args: object, context: object) => JSON.stringify([args, context]),
  named: { __typename: "Stone", name: "a stone", weight: ({ unit }: { unit: string }) => `3 ${unit}` },
  unnamed: { name: "nothing" },
};
// Rejections that a test leaves alone are none of the process.
for (const list of [item.failingItems, item.failingItem]) void Promise.allSettled(list as Promise<unknown>[]);
Object.assign(item, {
  item: () => item,
  must: async () => item,
  items: [item, item],
  maybe: [item, null, Promise.resolve(item)],
  things: () => [{ ...item, __typename: "Item" }, item.named],
  laterThing: async () => item.named,
});
const rootValue = {
  item,
  laterItem: async () => item,
  must: item,
  mustLater: async () => item,
  none: null,
  note: async ({ what, wait = 0 }: { what: string; wait?: number }) => {
    await pause(wait);
    notes.push(what);
    return [...notes];
  },
  fail: () => fail("the mutation fails"),
  mustFail: () => fail("the mutation must not fail"),
};

function fail(message: string): never {
  throw new Error(message);
}

const fields = (name: string) => Object.keys((schema.getType(name) as GraphQLObjectType).getFields());
const leaves = fields("Item").filter(
  (name) => !/^(item|must|items|maybe|things|named|unnamed|laterThing)$/.test(name),
);
const EVERY_LEAF = leaves.filter((name) => !/^(missing|must)/.test(name)).join(" ");

beforeEach(() => {
  notes.length = 0;
});

async function answers(
  document: string,
  variables: Record<string, unknown> = {},
  over: GraphQLSchema = schema,
) {
  const parsed = parse(document);
  expect(validate(over, parsed)).toEqual([]);
  const operation = getOperationAST(parsed);
  if (operation == null) throw new Error("there is no operation");
  const { coerced } = getVariableValues(over, operation.variableDefinitions ?? [], variables);
  if (coerced === undefined) throw new Error("the variables do not fit");
  const context = { who: "me" };
  const input = {
    schema: over,
    document: parsed,
    rootValue,
    contextValue: context,
    variableValues: variables,
  };
  const expected = await execute(input);
  notes.length = 0;
  const operations = new CompiledOperations(over, new SettledTexts(0));
  const outcome = await operations
    .get(parsed, operation, coerced)
    ?.run({ context, rootValue, variableValues: coerced });
  if (outcome === undefined) throw new Error("it was not compiled");
  const errors = outcome.errors.length > 0 ? outcome.errors : undefined;
  return {
    compiled: { ...comparable({ errors }), data: JSON.parse(outcome.data) },
    expected: comparable(expected),
    text: outcome.data,
    expectedText: JSON.stringify(expected.data),
  };
}

/** What the server says of faults of its own has other words: clients never read it. */
function comparable(result: { errors?: readonly GraphQLError[] }) {
  return JSON.parse(JSON.stringify(result), (key, value) =>
    key === "message" && /^(Expected (Iterable|`)|Abstract type|The (field|type) |A value of )/.test(value)
      ? "a fault of the server"
      : value,
  );
}

describe("a compiled operation", () => {
  it.each([
    ...leaves.map((name) => `{ item { name ${name} later } }`),
    ...leaves.map((name) => `{ must { later item { ${name} } name } }`),
    `{ item { ${EVERY_LEAF} } }`,
    `{ mustLater { ${EVERY_LEAF} items { ${EVERY_LEAF} } } }`,
    "{ item { items { later mustNotFailLater } name } }",
    "{ must { items { mustNotFail } later } }",
    "{ must { later failsLater must { missing } } }",
    "{ none { name } laterItem { must { must { name missing } } } }",
    "{ item { maybe { name missing } } }",
    "{ item { maybe { name later } things { __typename ... on Named { name } ... on Stone { weight } ... on Item { int later } } } }",
    '{ item { named { __typename name ... on Stone { weight(unit: "g") } } laterThing { ... on Stone { name } } } }',
    "{ item { unnamed { name } name } }",
    "{ a: item { b: name c: name ...F } a: item { ... on Named { name } item { ...F } } } fragment F on Item { text b: name item { d: int } }",
    '{ __typename __schema { queryType { name } } __type(name: "Item") { fields { name } } }',
    '{ item { argument(given: "x", list: [1, 2], input: { a: 1 }) } }',
  ])("answers %s as graphql-js does", async (document) => {
    const { compiled, expected, text, expectedText } = await answers(document);
    expect(compiled).toEqual(expected);
    expect(text).toBe(expectedText);
  });

  it("tells of the schema all that there is", async () => {
    const { compiled, expected } = await answers(getIntrospectionQuery());
    expect(compiled).toEqual(expected);
  });

  it.each([
    [{}],
    [{ given: null }],
    [{ given: "x", number: 1, input: { a: 2, b: ["c"] } }],
    [{ number: null }],
  ])("takes the variables %j as arguments as graphql-js does", async (variables) => {
    const document = `query ($given: String, $number: Int = 3, $input: Given) {
      item { argument(given: $given, number: $number, input: $input) items { argument(given: $given) } }
    }`;
    const { compiled, expected } = await answers(document, variables);
    expect(compiled).toEqual(expected);
  });

  it.each([true, false])("leaves out what its directives leave out, where the variable is %s", async (on) => {
    const document = `query ($on: Boolean!, $off: Boolean = false) {
      item { name @skip(if: $on) ... @include(if: $on) { int } ...F @skip(if: $off) flag @include(if: false) }
    } fragment F on Item { items @include(if: $on) { name } }`;
    const { compiled, expected } = await answers(document, { on });
    expect(compiled).toEqual(expected);
  });

  it("is compiled once for all values but those that decide which fields are in the answer", () => {
    const document = parse(
      "query ($on: Boolean!, $given: String) { item { name @skip(if: $on) argument(given: $given) } }",
    );
    const operation = getOperationAST(document);
    if (operation == null) throw new Error("there is no operation");
    const operations = new CompiledOperations(schema, new SettledTexts(0));
    const compiled = operations.get(document, operation, { on: true, given: "x" });
    expect(operations.get(document, operation, { on: true, given: "y" })).toBe(compiled);
    expect(operations.get(document, operation, { on: false, given: "y" })).not.toBe(compiled);
  });

  it("runs the fields of a mutation one after the other, also past one that fails", async () => {
    const document = 'mutation { a: note(what: "a", wait: 5) fail b: note(what: "b") __typename }';
    const { compiled, expected } = await answers(document);
    expect(compiled).toEqual(expected);
    expect(compiled.data).toMatchObject({ a: ["a"], b: ["a", "b"] });
  });

  it("runs no field of a mutation after one that must not fail and does", async () => {
    const { compiled, expected } = await answers(
      'mutation { a: note(what: "a") mustFail b: note(what: "b") }',
    );
    expect(compiled).toEqual(expected);
    expect(notes).toEqual(["a"]);
  });

  it("of more fields than are compiled is left to graphql-js, however short its document", () => {
    const levels = Array.from(
      { length: 14 },
      (_, n) => `fragment F${n} on Item { a: item { ...F${n + 1} } b: item { ...F${n + 1} } }`,
    );
    const document = parse(`{ item { ...F0 } } ${levels.join("\n")} fragment F14 on Item { name }`);
    const operation = getOperationAST(document);
    if (operation == null) throw new Error("there is no operation");
    expect(new CompiledOperations(schema, new SettledTexts(0)).get(document, operation, {})).toBeNull();
  });
});
