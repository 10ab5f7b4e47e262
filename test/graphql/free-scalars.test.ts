/** Our scalars let any value through, so every place that takes one must refuse by itself what is of no use to it. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scalars } from "../../src/graphql/scalars.js";
import { phaselineSchema } from "../../src/graphql/schema.js";
import { startTestApp, type TestApp } from "../support/app.js";
import { createDirectory } from "../support/databases.js";
import { createPlan } from "../support/plans.js";

const VALUES: Readonly<Record<string, unknown>> = {
  "a number": 7,
  "a list": [1],
  "an object with a length": { length: 10_000_000 },
  "a text that is far too long": "x".repeat(20_000),
};
/** Of these, some of the values above are right. */
const ANY_FORM = ["JSON", "JSONObject"];

interface Place {
  /** Such as `createPlan(input.parentPlanId)`. */
  readonly name: string;
  readonly scalar: string;
  readonly root: string;
  /** From the root to the field that has the argument. */
  readonly fields: readonly GraphQLField<unknown, unknown>[];
  readonly argument: GraphQLArgument;
  /** From the argument inwards. */
  readonly inputFields: readonly GraphQLInputField[];
}

describe("a value that is none of its scalar", () => {
  let app: TestApp;
  let samples: Readonly<Record<string, unknown>>;
  beforeAll(async () => {
    app = await startTestApp(await createDirectory("migrated"));
    const { id } = await createPlan(app);
    const document = { text: "{}" };
    samples = {
      ULID: id,
      String: "local/shop",
      Int: 1,
      Boolean: true,
      JSONObject: {},
      WorkflowPlanDocument: document,
    };
  });
  afterAll(() => app.close());

  it.each([...places()])("is refused by $name", async (place) => {
    for (const [kind, value] of Object.entries(VALUES)) {
      const answer = await ask(place, value);
      expect(answer, kind).not.toContain("INTERNAL_SERVER_ERROR");
      if (ANY_FORM.includes(place.scalar)) continue;
      expect(answer, kind).toMatch(/"BAD_USER_INPUT"|"INVALID_INPUT"|"CURSOR_INVALID"/);
    }
  });

  /** The answer, or the first item of a feed, as JSON text. */
  async function ask({ root, fields, argument, inputFields }: Place, value: unknown): Promise<string> {
    const declared: string[] = [];
    const variables: Record<string, unknown> = {};
    const selection = fields.reduceRight((below, { name, args, type }) => {
      const given = args.flatMap((each) => {
        if (each !== argument && !isRequiredArgument(each)) return [];
        const variable = `v${declared.length}`;
        declared.push(`$${variable}: ${each.type}`);
        variables[variable] =
          each === argument ? holding(each.type, inputFields, value) : sampleOf(each.type);
        return [`${each.name}: $${variable}`];
      });
      return `${name}${given.length === 0 ? "" : `(${given.join()})`} { ${below || codeOf(type)} }`;
    }, "");
    const query = `${root}(${declared.join()}) { ${selection} }`;
    if (root !== "subscription") return JSON.stringify((await app.send(query, variables)).body);
    const feed = await app.events(query, variables);
    const first = await feed.next();
    feed.drop();
    return JSON.stringify(first?.data);
  }

  /** A value of the type with `value` at the end of the path, and what must stand beside it. */
  function holding(type: GraphQLInputType, path: readonly GraphQLInputField[], value: unknown): unknown {
    if (isNonNullType(type)) return holding(type.ofType, path, value);
    if (isListType(type)) return [holding(type.ofType, path, value)];
    const [field, ...rest] = path;
    if (field === undefined) return value;
    const beside = isInputObjectType(type) && !type.isOneOf ? sampleOf(type) : {};
    return { ...(beside as object), [field.name]: holding(field.type, rest, value) };
  }

  function sampleOf(type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return sampleOf(type.ofType);
    if (isListType(type)) return [sampleOf(type.ofType)];
    if (isEnumType(type)) return type.getValues()[0]?.name;
    if (type.name in samples || !isInputObjectType(type)) return samples[type.name];
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return Object.fromEntries(required.map((field) => [field.name, sampleOf(field.type)]));
  }
});

/** Every place of the schema where a client gives one of our scalars; the fields of each type are looked at once. */
function* places(): Generator<Place> {
  const schema = phaselineSchema();
  const seen = new Set<string>();
  const found = [
    { root: "query", type: schema.getQueryType(), above: [] },
    { root: "mutation", type: schema.getMutationType(), above: [] },
    { root: "subscription", type: schema.getSubscriptionType(), above: [] },
  ] as Found[];
  for (const { root, type, above } of found) {
    for (const field of Object.values(type.getFields())) {
      const fields = [...above, field];
      for (const argument of field.args)
        for (const inputFields of pathsToScalars(argument.type)) {
          const path = [argument, ...inputFields].map(({ name }) => name).join(".");
          const { name: scalar } = getNamedType((inputFields.at(-1) ?? argument).type);
          const name = `${root} ${fields.map((each) => each.name).join(".")}(${path})`;
          yield { name, scalar, root, fields, argument, inputFields };
        }
      const below = getNamedType(field.type);
      if (!isObjectType(below) || seen.has(below.name)) continue;
      seen.add(below.name);
      found.push({ root, type: below, above: fields });
    }
  }
}

interface Found {
  readonly root: string;
  readonly type: GraphQLObjectType;
  readonly above: readonly GraphQLField<unknown, unknown>[];
}

/** The paths through an input to our scalars; an input within itself is not followed. */
function* pathsToScalars(
  type: GraphQLInputType,
  within: readonly string[] = [],
): Generator<readonly GraphQLInputField[]> {
  const named = getNamedType(type);
  if (named.name in scalars) yield [];
  if (!isInputObjectType(named) || within.includes(named.name)) return;
  for (const field of Object.values(named.getFields()))
    for (const path of pathsToScalars(field.type, [...within, named.name])) yield [field, ...path];
}

/** Shows the code of a refusal. */
function codeOf(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  const members = isUnionType(named) ? named.getTypes().map(({ name }) => name) : [];
  const refusal = members.includes("InvalidInput") ? "... on InvalidInput { code }" : "";
  const reset = members.includes("FeedReset") ? "... on FeedReset { reason }" : "";
  return `__typename ${refusal} ${reset}`;
}
