// Prepares the empty embedded database that first starts copy, with the compiled server; see src/database/empty-database.ts.
const { makeEmptyDatabase } = await import(
  new URL("../dist/database/empty-database.js", import.meta.url).href
);
await makeEmptyDatabase();
