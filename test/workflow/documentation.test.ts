/** The documentation says what the code does. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ITEM_LIMIT, workflowPlan, workflowPlanItem } from "../../src/workflow/model/plan.js";
import { codeRows, enumerationRows, fieldRows, leafRows } from "./support/documentation.js";
import { checkText } from "./support/documents.js";

const page = readFileSync("docs/workflow-plans.md", "utf8");

it("The example of the documentation is a plan that can be frozen", () => {
  const example = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? expect.unreachable();
  const check = checkText(example);
  expect(check.issues).toEqual([]);
  expect(check.freezeIssues).toEqual([]);
  expect(page).toContain(`\`${check.workflowPlan?.digest}\``);
});

it("The documentation lists every field, every value and every issue code as they are", () => {
  expect(page).toContain(fieldRows(workflowPlan));
  expect(page).toContain(fieldRows(workflowPlanItem));
  expect(page).toContain(leafRows());
  expect(page).toContain(enumerationRows());
  expect(page).toContain(codeRows());
  expect(page).toContain(`${ITEM_LIMIT.toLocaleString("en")} items`);
});
