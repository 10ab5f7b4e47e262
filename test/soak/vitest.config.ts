import { defineConfig } from "vitest/config";
import tests from "../../vitest.config.js";

export default defineConfig({
  ...tests,
  test: {
    ...tests.test,
    include: ["test/soak/*.soak.ts"],
    // One at a time: they measure, so each has the machine for itself.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 24 * 3_600_000,
    disableConsoleIntercept: true,
  },
});
