import { readFile } from "node:fs/promises";
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  type IntrospectionType,
  isSpecifiedDirective,
  lexicographicSortSchema,
  printSchema,
} from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phaselineSchema, printedSchema } from "../../src/graphql/schema.js";
import { startTestApp, type TestApp } from "../support/app.js";
import { createDirectory } from "../support/databases.js";

const file = () => readFile(new URL("../../schema.graphql", import.meta.url), "utf8");

describe("schema.graphql", () => {
  it("is what the code says", async () => {
    const again = 'schema.graphql is not what the code says; write it again with "npm run schema".';
    expect(await file(), again).toBe(printedSchema());
  });

  it("is sorted, and stands by itself", async () => {
    const schema = buildSchema(await file());
    expect(`${printSchema(lexicographicSortSchema(schema))}\n`).toBe(await file());
  });
});

describe("the running server's schema", () => {
  let app: TestApp;
  let introspected: IntrospectionQuery;
  beforeAll(async () => {
    app = await startTestApp(await createDirectory("migrated"));
    introspected = await app.ask<IntrospectionQuery>(
      getIntrospectionQuery({
        oneOf: true,
        inputValueDeprecation: true,
        specifiedByUrl: true,
        schemaDescription: true,
      }),
    );
  });
  afterAll(() => app.close());

  it("is the one in schema.graphql", async () => {
    const schema = lexicographicSortSchema(buildClientSchema(introspected));
    expect(`${printSchema(schema)}\n`).toBe(await file());
  });

  it("describes every type, field, argument, input field and enum value", () => {
    const undescribed: string[] = [];
    const look = (path: string, { description }: { readonly description?: string | null }) => {
      if (description == null || description.trim() === "") undescribed.push(path);
    };
    for (const type of introspected.__schema.types.filter(({ name }) => !name.startsWith("__"))) {
      look(type.name, type);
      for (const [path, part] of parts(type)) look(`${type.name}.${path}`, part);
    }
    expect(undescribed).toEqual([]);
  });

  it("has nothing that is deprecated", () => {
    expect(JSON.stringify(introspected)).not.toContain('"isDeprecated":true');
  });

  it("has the names that clients rely on", () => {
    const schema = phaselineSchema();
    const names = (type: { getFields(): object } | null | undefined) =>
      Object.keys(type?.getFields() ?? {}).sort();
    expect(names(schema.getQueryType())).toEqual([
      "asOf",
      "lifecycle",
      "numberStepPaths",
      "plan",
      "planCounts",
      "planEvents",
      "plans",
      "validateWorkflowPlan",
    ]);
    expect(names(schema.getSubscriptionType())).toEqual(["planCounts", "planEvents", "planUpdated"]);
    expect(names(schema.getMutationType())).toEqual([
      "addInvariant",
      "advancePlan",
      "archivePlan",
      "cancelPlan",
      "completePhase",
      "createPlan",
      "failPhase",
      "freezeWorkflowPlan",
      "recordArtifacts",
      "retryPhase",
      "setTags",
      "startPhase",
      "unarchivePlan",
    ]);
    for (const mutation of Object.values(schema.getMutationType()?.getFields() ?? {})) {
      expect(
        mutation.args.map(({ name }) => name),
        mutation.name,
      ).toEqual(["input"]);
      expect(String(mutation.type)).toMatch(/Result!$/);
    }
    expect(schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive))).toEqual([]);
  });
});

/** What stands in a type and carries a description of its own. */
function parts(type: IntrospectionType): [string, { readonly description?: string | null }][] {
  switch (type.kind) {
    case "OBJECT":
    case "INTERFACE":
      return type.fields.flatMap((field): [string, typeof field | (typeof field.args)[number]][] => [
        [field.name, field],
        ...field.args.map((arg): [string, typeof arg] => [`${field.name}(${arg.name})`, arg]),
      ]);
    case "INPUT_OBJECT":
      return type.inputFields.map((field) => [field.name, field]);
    case "ENUM":
      return type.enumValues.map((value) => [value.name, value]);
    default:
      return [];
  }
}
