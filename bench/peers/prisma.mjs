/** The Prisma client of the peers that stand on it: as the product's, over `pg` with a pool of the same size. */
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../generated/client/index.js";
import { databaseUrl, poolSize } from "./serving.mjs";

export { Prisma } from "../generated/client/index.js";

export const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: databaseUrl, max: poolSize }),
});
