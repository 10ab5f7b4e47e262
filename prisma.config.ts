import { defineConfig } from "prisma/config";

// The URL serves those who run `prisma migrate` by hand; the server itself needs none of this.
export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL },
});
