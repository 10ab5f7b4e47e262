import { buildSchema, GraphQLObjectType, getOperationAST, parse } from "graphql";
import { beforeEach, describe, expect, it } from "vitest";
import { CompiledOperations } from "../../src/execution/operations.js";
import { SettledTexts, settled, settledBy } from "../../src/execution/settled.js";

const schema = buildSchema(/* GraphQL */ `
  type Query { node: Node nodes: [Node!]! }
  type Node { name: String! facts: [Fact!]! secret: String moment: Int! echo(text: String): String }
  type Fact { text: String! }
`);
for (const name of ["Fact"]) Object.assign(typeOf(name), { extensions: settled });
const ofTheRow = settledBy(({ row }: Node) => row);
const fields = typeOf("Node").getFields();
for (const name of ["name", "facts", "secret"]) Object.assign(fields[name] ?? {}, { extensions: ofTheRow });
for (const field of [fields.echo, schema.getQueryType()?.getFields().nodes])
  Object.assign(field ?? {}, { extensions: settled });

function typeOf(name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLObjectType)) throw new Error(`there is no type ${name}`);
  return type;
}

interface Row {
  readonly name: string;
  readonly facts: readonly { readonly text: string }[];
}

/** An object that is made anew for each answer, around a row that stays. */
class Node {
  readonly row: Row;

  constructor(row: Row) {
    this.row = row;
  }

  name() {
    reads += 1;
    return this.row.name;
  }

  facts() {
    reads += 1;
    return this.row.facts;
  }

  secret() {
    reads += 1;
    if (this.row.name === "open") return null;
    throw new Error("It is a secret.");
  }

  moment() {
    return moments++;
  }

  echo({ text }: { text?: string }) {
    reads += 1;
    return text;
  }
}

let reads = 0;
let moments = 0;

beforeEach(() => {
  reads = 0;
  moments = 0;
});

const row: Row = Object.freeze({ name: "ä \u{1f600}", facts: [{ text: "a" }, { text: "b" }] });

function asker(texts = new SettledTexts(1_000_000)) {
  const operations = new CompiledOperations(schema, texts);
  const documents = new Map<string, ReturnType<typeof parse>>();
  return async (text: string, rootValue: object, variableValues: Record<string, unknown> = {}) => {
    const document = documents.get(text) ?? parse(text);
    documents.set(text, document);
    const operation = getOperationAST(document);
    const compiled = operation && operations.get(document, operation, variableValues);
    if (!compiled) throw new Error("it was not compiled");
    const { data, errors } = await compiled.run({ context: {}, rootValue, variableValues });
    return { data: JSON.parse(data), errors: errors.map(({ message, path }) => ({ message, path })) };
  };
}

describe("what was written of a settled object", () => {
  it("is not written again, while all else beside it is", async () => {
    const ask = asker();
    const query = "{ node { name facts { text } moment } }";
    const first = await ask(query, { node: new Node(row) });
    expect(first.data).toEqual({ node: { ...row, moment: 0 } });
    expect(reads).toBe(2);
    const second = await ask(query, { node: new Node(row) });
    expect(second.data).toEqual({ node: { ...row, moment: 1 } });
    expect(reads).toBe(2);
  });

  it("is of its own selection, and of its own object", async () => {
    const ask = asker();
    const other = Object.freeze({ ...row, name: "another" });
    expect((await ask("{ node { name } }", { node: new Node(row) })).data.node.name).toBe(row.name);
    expect((await ask("{ node { name } }", { node: new Node(other) })).data.node.name).toBe("another");
    expect((await ask("{ node { other: name } }", { node: new Node(row) })).data.node.other).toBe(row.name);
    expect(reads).toBe(3);
  });

  it("is written again where the object may change", async () => {
    const ask = asker();
    const changing = { ...row };
    await ask("{ node { name } }", { node: new Node(changing) });
    changing.name = "changed";
    expect((await ask("{ node { name } }", { node: new Node(changing) })).data.node.name).toBe("changed");
  });

  it("is written again where it has failed, with its error at its own place", async () => {
    const ask = asker();
    const nodes = { nodes: [new Node({ ...row, name: "open" }), new Node(row)] };
    const failed = [{ message: "It is a secret.", path: ["nodes", 1, "secret"] }];
    expect((await ask("{ nodes { secret } }", nodes)).errors).toEqual(failed);
    expect((await ask("{ nodes { secret } }", nodes)).errors).toEqual(failed);
    expect(reads).toBe(4);
  });

  it("is a whole list, where the list can never change and all of it is settled", async () => {
    const ask = asker();
    const nodes = Object.freeze([new Node(row), new Node(row)]);
    const query = '{ nodes { echo(text: "a") } }';
    const first = await ask(query, { nodes });
    expect(await ask(query, { nodes })).toEqual(first);
    expect(reads).toBe(2);
    await ask("{ nodes { echo moment } }", { nodes });
    expect((await ask("{ nodes { echo moment } }", { nodes })).data.nodes[0].moment).toBe(2);
  });

  it("is written again where variables are in it", async () => {
    const ask = asker();
    const nodes = Object.freeze([new Node(row)]);
    const query = "query ($text: String) { nodes { echo(text: $text) } }";
    for (const text of ["a", "b"]) {
      expect((await ask(query, { nodes }, { text })).data).toEqual({ nodes: [{ echo: text }] });
    }
  });

  it("is forgotten when others have filled the memory since", async () => {
    const ask = asker(new SettledTexts(10_000));
    const ofMany = (count: number) =>
      Array.from({ length: count }, (_, index) => new Node(Object.freeze({ ...row, name: String(index) })));
    const node = new Node(row);
    await ask("{ node { name } }", { node });
    await ask("{ nodes { name } }", { nodes: ofMany(5) });
    reads = 0;
    await ask("{ node { name } }", { node });
    expect(reads).toBe(0);
    await ask("{ nodes { name } }", { nodes: ofMany(100) });
    reads = 0;
    expect((await ask("{ node { name } }", { node })).data.node.name).toBe(row.name);
    expect(reads).toBe(1);
  });
});
