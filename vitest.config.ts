import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    globalSetup: ["test/support/global-setup.ts"],
    // Two homes of the database start for most files: slow machines get the time that they need.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
