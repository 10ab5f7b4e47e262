import { defineConfig } from "vitest/config";

export default defineConfig({
  // Vite would load a second copy of graphql beside the one that Node gives to the libraries, and errors
  // and schemas of the one are strangers to the other.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
    pool: "forks",
    // One more than the processors of a small machine: tests wait for other processes much of their time.
    maxWorkers: 3,
    // Files leave nothing behind: those that share a process need not load the server again each.
    isolate: false,
    globalSetup: ["test/support/global-setup.ts"],
    // Two homes of the database start for most files: slow machines get the time that they need.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
