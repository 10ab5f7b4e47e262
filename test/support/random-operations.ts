/** Operations that nobody thought of: random selections of a schema, with random arguments of the right types. */
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  print,
} from "graphql";
import type { Random } from "./random.js";

export interface RandomOperation {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/** A value of a scalar for the argument or the input field of this name. */
export type ScalarValue = (name: string, type: string) => unknown;

export interface RandomOperations {
  query(): RandomOperation;
  /** One root field, as subscriptions have. */
  subscription(): RandomOperation;
}

const DEEPEST = 5;

/** The schema is one without resolvers, such as `buildSchema` makes. */
export function randomOperationsOf(
  schema: GraphQLSchema,
  random: Random,
  scalar: ScalarValue,
): RandomOperations {
  const { chance, pick, below } = random;

  function operation(keyword: string, root: GraphQLObjectType | null | undefined, fields: number) {
    if (!root) throw new Error(`There is no ${keyword}.`);
    const variables: Record<string, unknown> = {};
    const declared: string[] = [];

    function argumentsOf(name: string, args: readonly GraphQLArgument[]): string {
      const given = args.flatMap((arg) => {
        if (!isNonNullType(arg.type) && chance(0.5)) return [];
        const value = inputOf(arg.name, arg.type, 0);
        if (chance(0.5)) {
          const variable = `v${declared.length}`;
          declared.push(`$${variable}: ${arg.type}`);
          variables[variable] = value;
          return [`${arg.name}: $${variable}`];
        }
        const literal = astFromValue(value, arg.type);
        if (!literal) throw new Error(`${name}.${arg.name} cannot be ${JSON.stringify(value)}.`);
        return [`${arg.name}: ${print(literal)}`];
      });
      return given.length === 0 ? "" : `(${given.join(", ")})`;
    }

    function fieldOf(owner: string, field: GraphQLField<unknown, unknown>, depth: number): string {
      // The name of the type keeps apart what fragments of a union call alike.
      const alias = chance(0.3) ? `${owner}_${field.name}${below(2)}: ` : "";
      return `${alias}${field.name}${argumentsOf(field.name, field.args)}${selectionOf(field.type, depth + 1)}`;
    }

    function selectionOf(output: GraphQLOutputType, depth: number): string {
      const type = getNamedType(output);
      if (!isCompositeType(type)) return "";
      if (isAbstractType(type)) {
        const parts = schema
          .getPossibleTypes(type)
          .filter(() => chance(0.5))
          .map((possible) => `... on ${possible.name} ${membersOf(possible, depth, true)}`);
        return ` { __typename ${parts.join(" ")} }`;
      }
      return ` ${membersOf(type, depth, false)}`;
    }

    function membersOf(type: GraphQLObjectType, depth: number, isFragment: boolean): string {
      const chosen = Object.values(type.getFields()).filter((field) => {
        const isLeaf = !isCompositeType(getNamedType(field.type));
        if (isFragment && !isLeaf) return false;
        if (isLeaf) return chance(0.4);
        // Edges and nodes are what a connection is asked for.
        if (field.name === "edges" || field.name === "node") return depth < DEEPEST + 4;
        return depth < DEEPEST && chance(0.6 / depth);
      });
      const parts = chosen.map((field) =>
        isFragment
          ? `${type.name}_${field.name}: ${field.name}${argumentsOf(field.name, field.args)}`
          : fieldOf(type.name, field, depth),
      );
      return `{ __typename ${parts.join(" ")} }`;
    }

    const all = Object.values(root.getFields());
    const roots = Array.from({ length: fields }, (_, index) => {
      const field = pick(all);
      return `root${index}: ${field.name}${argumentsOf(field.name, field.args)}${selectionOf(field.type, 1)}`;
    });
    const head = declared.length === 0 ? keyword : `${keyword} (${declared.join(", ")})`;
    return { query: `${head} { ${roots.join(" ")} }`, variables };
  }

  function inputOf(name: string, input: GraphQLInputType, depth: number): unknown {
    const type = getNullableType(input);
    if (isListType(type)) return Array.from({ length: below(4) }, () => inputOf(name, type.ofType, depth));
    if (isEnumType(type)) return pick(type.getValues()).name;
    if (!isInputObjectType(type)) return scalar(name, type.toString());
    const fields = Object.values(type.getFields());
    if (type.isOneOf) {
      const field = pick(fields);
      return { [field.name]: inputOf(field.name, field.type, depth + 1) };
    }
    const chosen = fields.filter(
      (field) =>
        isNonNullType(field.type) ||
        (depth < 3 && chance(isInputObjectType(getNamedType(field.type)) ? 0.1 : 0.2)),
    );
    return Object.fromEntries(
      chosen.map((field) => [field.name, inputOf(field.name, field.type, depth + 1)]),
    );
  }

  return {
    query: () => operation("query", schema.getQueryType(), 1 + below(3)),
    subscription: () => operation("subscription", schema.getSubscriptionType(), 1),
  };
}
