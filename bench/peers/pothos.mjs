/** Yoga with Pothos and its Prisma plugin, which turns a query into one nested read of Prisma. */
import { createServer } from "node:http";
import SchemaBuilder from "@pothos/core";
import PrismaPlugin from "@pothos/plugin-prisma";
import { getDatamodel } from "@pothos/plugin-prisma/generated";
import RelayPlugin from "@pothos/plugin-relay";
import { DateTimeResolver } from "graphql-scalars";
import { createYoga } from "graphql-yoga";
import { prisma } from "./prisma.mjs";
import { serve } from "./serving.mjs";

/**
 * @typedef {object} Types
 * @property {import("@pothos/plugin-prisma/generated").default} PrismaTypes
 * @property {{ DateTime: { Input: Date, Output: Date } }} Scalars
 */

/** @type {InstanceType<typeof SchemaBuilder<Types>>} */
const builder = new SchemaBuilder({
  plugins: [PrismaPlugin, RelayPlugin],
  relay: {},
  prisma: { client: prisma, dmmf: getDatamodel() },
});
builder.addScalarType("DateTime", DateTimeResolver);

builder.prismaObject("ProjectLink", {
  fields: (t) => ({
    projectName: t.exposeString("projectName"),
    alias: t.exposeString("alias", { nullable: true }),
    readOnly: t.exposeBoolean("readOnly"),
  }),
});

builder.prismaObject("Invariant", {
  fields: (t) => ({
    id: t.exposeString("id"),
    text: t.exposeString("text"),
    scope: t.exposeString("scope"),
    sourceName: t.exposeString("sourceName", { nullable: true }),
    nonOverridable: t.exposeBoolean("nonOverridable"),
  }),
});

builder.prismaObject("PhaseProgress", {
  fields: (t) => ({
    phase: t.exposeString("phase"),
    queuedAt: t.expose("queuedAt", { type: "DateTime", nullable: true }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
    attempts: t.exposeInt("attempts"),
  }),
});

builder.prismaObject("Plan", {
  fields: (t) => ({
    id: t.exposeString("id"),
    name: t.exposeString("name"),
    actionName: t.exposeString("actionName"),
    description: t.exposeString("description"),
    phase: t.exposeString("phase"),
    state: t.exposeString("state"),
    tags: t.exposeStringList("tags"),
    version: t.exposeInt("version"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    projectLinks: t.relation("projectLinks", { query: { orderBy: { position: "asc" } } }),
    invariants: t.relation("invariants", { query: { orderBy: { position: "asc" } } }),
    phases: t.relation("phases", { query: { orderBy: { phase: "asc" } } }),
    childCount: t.relationCount("children", { where: { archivedAt: null } }),
  }),
});

builder.queryType({
  fields: (t) => ({
    plan: t.prismaField({
      type: "Plan",
      nullable: true,
      args: { id: t.arg.string({ required: true }) },
      resolve: (query, _root, { id }) => prisma.plan.findUnique({ ...query, where: { id } }),
    }),
    plans: t.prismaConnection({
      type: "Plan",
      cursor: "id",
      resolve: (query) =>
        prisma.plan.findMany({
          ...query,
          where: { archivedAt: null },
          orderBy: [{ createdAt: "desc" }, { id: "desc" }],
        }),
    }),
  }),
});

await prisma.$connect();
await serve(createServer(createYoga({ schema: builder.toSchema(), graphiql: false, landingPage: false })));
