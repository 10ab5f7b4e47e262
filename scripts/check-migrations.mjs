// Fails where prisma/migrations do not lead to prisma/schema.prisma, and says how to mend it.
import { schemaDifference } from "./schema-difference.mjs";

const script = await schemaDifference();

if (script !== "") {
  console.error(
    `prisma/schema.prisma says what no migration says; make one with "npm run db:migration -- what_it_does":\n\n${script}`,
  );
  process.exitCode = 1;
}
