-- Frozen workflow plans. Made from schema.prisma; by hand are COLLATE "C" and the trigger at the end.

-- AlterEnum
ALTER TYPE "plan_event_type" ADD VALUE 'WORKFLOW_FROZEN';

-- AlterTable
ALTER TABLE "plan" ADD COLUMN     "workflow_revision" INTEGER;

-- CreateTable
CREATE TABLE "workflow_revision" (
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "revision" INTEGER NOT NULL,
    "digest" TEXT COLLATE "C" NOT NULL,
    "canonical_text" TEXT NOT NULL,
    "item_count" INTEGER NOT NULL,
    "frozen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "workflow_revision_pkey" PRIMARY KEY ("plan_id","revision")
);

-- AddForeignKey
ALTER TABLE "plan" ADD CONSTRAINT "plan_id_workflow_revision_fkey" FOREIGN KEY ("id", "workflow_revision") REFERENCES "workflow_revision"("plan_id", "revision") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_revision" ADD CONSTRAINT "workflow_revision_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was frozen stays as it is.
CREATE FUNCTION "refuse_workflow_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a frozen workflow plan is never changed' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER "workflow_revision_is_frozen" BEFORE UPDATE OR DELETE OR TRUNCATE ON "workflow_revision"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_workflow_change"();
