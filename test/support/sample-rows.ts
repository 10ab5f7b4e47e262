/** Rows for tests that stand below the domain: valid for the tables, and no more. */
import type { Prisma } from "../../src/database/generated/client.js";

export function samplePlan(id: string): Prisma.PlanUncheckedCreateInput {
  const at = new Date("2026-03-29T01:02:03.045Z");
  return {
    id,
    name: "local/sample",
    actionName: "local/action",
    description: "",
    phase: "STRATEGIZE",
    state: "QUEUED",
    automationLevel: "MANUAL",
    argumentsJson: "{}",
    rootPlanId: id,
    depth: 0,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}

export function sampleEvent(planId: string, seq: bigint): Prisma.PlanEventUncheckedCreateInput {
  return {
    seq,
    planId,
    planVersion: 1,
    type: "PLAN_CREATED",
    at: new Date("2026-03-29T01:02:03.045Z"),
    actor: "local/anonymous",
    automatic: false,
    dataJson: "{}",
    rootPlanId: planId,
    actionName: "local/action",
    toPhase: "STRATEGIZE",
    toState: "QUEUED",
  };
}
