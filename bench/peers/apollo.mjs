/**
 * Apollo Server with Prisma: a schema in SDL, and resolvers that ask Prisma with its fluent API, whose reads of one
 * tick Prisma joins into one.
 */
import { createServer } from "node:http";
import { ApolloServer } from "@apollo/server";
import { ApolloServerPluginDrainHttpServer } from "@apollo/server/plugin/drainHttpServer";
import { expressMiddleware } from "@as-integrations/express5";
import express from "express";
import { DateTimeResolver, DateTimeTypeDefinition } from "graphql-scalars";
import { prisma } from "./prisma.mjs";
import { serve } from "./serving.mjs";

const typeDefs = `
  ${DateTimeTypeDefinition}
  type ProjectLink { projectName: String! alias: String readOnly: Boolean! }
  type Invariant { id: ID! text: String! scope: String! sourceName: String nonOverridable: Boolean! }
  type PhaseProgress { phase: String! queuedAt: DateTime startedAt: DateTime finishedAt: DateTime attempts: Int! }
  type Plan {
    id: ID!
    name: String!
    actionName: String!
    description: String!
    phase: String!
    state: String!
    tags: [String!]!
    version: Int!
    createdAt: DateTime!
    updatedAt: DateTime!
    projectLinks: [ProjectLink!]!
    invariants: [Invariant!]!
    phases: [PhaseProgress!]!
    childCount: Int!
  }
  type Query { plan(id: ID!): Plan plans(first: Int!): [Plan!]! }
`;

const count = { _count: { select: { children: { where: { archivedAt: null } } } } };

const resolvers = {
  DateTime: DateTimeResolver,
  Query: {
    plan: (/** @type {unknown} */ _root, /** @type {{ id: string }} */ { id }) =>
      prisma.plan.findUnique({ where: { id }, include: count }),
    plans: (/** @type {unknown} */ _root, /** @type {{ first: number }} */ { first }) =>
      prisma.plan.findMany({
        where: { archivedAt: null },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        take: first,
        include: count,
      }),
  },
  Plan: {
    projectLinks: (/** @type {{ id: string }} */ { id }) =>
      prisma.plan.findUnique({ where: { id } }).projectLinks({ orderBy: { position: "asc" } }),
    invariants: (/** @type {{ id: string }} */ { id }) =>
      prisma.plan.findUnique({ where: { id } }).invariants({ orderBy: { position: "asc" } }),
    phases: (/** @type {{ id: string }} */ { id }) =>
      prisma.plan.findUnique({ where: { id } }).phases({ orderBy: { phase: "asc" } }),
    childCount: (/** @type {{ _count: { children: number } }} */ plan) => plan._count.children,
  },
};

const app = express();
const server = createServer(app);
const apollo = new ApolloServer({
  typeDefs,
  resolvers,
  plugins: [ApolloServerPluginDrainHttpServer({ httpServer: server })],
});
await prisma.$connect();
await apollo.start();
app.use("/graphql", express.json(), expressMiddleware(apollo));
await serve(server);
