// Prints `N passed, N failed, N skipped` from vitest's JSON report, and fails unless all is well. What failed
// outside of any test (the installation, a check, a file that does not load) counts as one.
import { readFileSync } from "node:fs";

const [, , file = "", status] = process.argv;
const report = readReport(file);
const { numPassedTests: passed = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report;
const failed = numFailedTests === 0 && (status !== "0" || !report.success) ? 1 : numFailedTests;

console.log(`${passed} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return {};
  }
}
