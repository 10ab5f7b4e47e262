-- The first tables. Made from schema.prisma; by hand are: COLLATE "C" on what is ordered or compared (names sort
-- by code point on every database), NOT NULL on lists, and all that follows the foreign keys.

-- CreateEnum
CREATE TYPE "plan_phase" AS ENUM ('STRATEGIZE', 'EXECUTE', 'APPLY', 'APPLIED');

-- CreateEnum
CREATE TYPE "plan_state" AS ENUM ('QUEUED', 'PROCESSING', 'ERRORED', 'COMPLETE', 'CANCELLED');

-- CreateEnum
CREATE TYPE "automation_level" AS ENUM ('MANUAL', 'REVIEW_BEFORE_APPLY', 'FULL_AUTOMATION');

-- CreateEnum
CREATE TYPE "invariant_scope" AS ENUM ('PLAN', 'ACTION', 'PROJECT', 'GLOBAL');

-- CreateEnum
CREATE TYPE "plan_event_type" AS ENUM ('PLAN_CREATED', 'PHASE_STARTED', 'PHASE_COMPLETED', 'PHASE_FAILED', 'PHASE_RETRIED', 'PHASE_ADVANCED', 'PLAN_APPLIED', 'PLAN_CANCELLED', 'ARTIFACTS_RECORDED', 'INVARIANT_ADDED', 'TAGS_CHANGED', 'PLAN_ARCHIVED', 'PLAN_UNARCHIVED');

-- CreateTable
CREATE TABLE "plan" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "action_name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT NOT NULL,
    "definition_of_done" TEXT,
    "phase" "plan_phase" NOT NULL,
    "state" "plan_state" NOT NULL,
    "automation_level" "automation_level" NOT NULL,
    "automation_profile_name" TEXT COLLATE "C",
    "effective_profile_snapshot_json" TEXT,
    "arguments_json" TEXT NOT NULL,
    "arguments_order" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "strategy_actor" TEXT COLLATE "C",
    "execution_actor" TEXT COLLATE "C",
    "estimation_actor" TEXT COLLATE "C",
    "invariant_actor" TEXT COLLATE "C",
    "changeset_id" TEXT,
    "sandbox_refs" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "validation_summary_json" TEXT,
    "estimate_json" TEXT,
    "decision_root_id" TEXT,
    "error_message" TEXT,
    "error_details_json" TEXT,
    "tags" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[],
    "parent_plan_id" TEXT COLLATE "C",
    "root_plan_id" TEXT COLLATE "C" NOT NULL,
    "depth" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "applied_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "cancel_reason" TEXT,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "phase_progress" (
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "phase" "plan_phase" NOT NULL,
    "queued_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL,

    CONSTRAINT "phase_progress_pkey" PRIMARY KEY ("plan_id","phase")
);

-- CreateTable
CREATE TABLE "project_link" (
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "project_name" TEXT COLLATE "C" NOT NULL,
    "alias" TEXT COLLATE "C",
    "read_only" BOOLEAN NOT NULL,

    CONSTRAINT "project_link_pkey" PRIMARY KEY ("plan_id","position")
);

-- CreateTable
CREATE TABLE "invariant" (
    "id" TEXT COLLATE "C" NOT NULL,
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "position" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "scope" "invariant_scope" NOT NULL,
    "source_name" TEXT,
    "non_overridable" BOOLEAN NOT NULL,

    CONSTRAINT "invariant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plan_event" (
    "seq" BIGINT NOT NULL,
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "plan_version" INTEGER NOT NULL,
    "type" "plan_event_type" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT COLLATE "C" NOT NULL,
    "automatic" BOOLEAN NOT NULL,
    "data_json" TEXT NOT NULL,
    "root_plan_id" TEXT COLLATE "C" NOT NULL,
    "action_name" TEXT COLLATE "C" NOT NULL,
    "project_names" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[],
    "from_phase" "plan_phase",
    "from_state" "plan_state",
    "from_tags" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[],
    "to_phase" "plan_phase" NOT NULL,
    "to_state" "plan_state" NOT NULL,
    "to_tags" TEXT[] COLLATE "C" NOT NULL DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "plan_event_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "event_log" (
    "id" INTEGER NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "key" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "seq" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "plan_created_at_id_idx" ON "plan"("created_at", "id");

-- CreateIndex
CREATE INDEX "plan_updated_at_id_idx" ON "plan"("updated_at", "id");

-- CreateIndex
CREATE INDEX "plan_name_id_idx" ON "plan"("name", "id");

-- CreateIndex
CREATE INDEX "plan_phase_id_idx" ON "plan"("phase", "id");

-- CreateIndex
CREATE INDEX "plan_state_id_idx" ON "plan"("state", "id");

-- CreateIndex
CREATE INDEX "plan_action_name_id_idx" ON "plan"("action_name", "id");

-- CreateIndex
CREATE INDEX "plan_parent_plan_id_created_at_id_idx" ON "plan"("parent_plan_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "plan_root_plan_id_idx" ON "plan"("root_plan_id");

-- CreateIndex
CREATE INDEX "plan_tags_idx" ON "plan" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "project_link_project_name_plan_id_idx" ON "project_link"("project_name", "plan_id");

-- CreateIndex
CREATE UNIQUE INDEX "invariant_plan_id_position_key" ON "invariant"("plan_id", "position");

-- CreateIndex
CREATE INDEX "plan_event_root_plan_id_seq_idx" ON "plan_event"("root_plan_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "plan_event_plan_id_plan_version_key" ON "plan_event"("plan_id", "plan_version");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- AddForeignKey
ALTER TABLE "plan" ADD CONSTRAINT "plan_parent_plan_id_fkey" FOREIGN KEY ("parent_plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan" ADD CONSTRAINT "plan_root_plan_id_fkey" FOREIGN KEY ("root_plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "phase_progress" ADD CONSTRAINT "phase_progress_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_link" ADD CONSTRAINT "project_link_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invariant" ADD CONSTRAINT "invariant_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_event" ADD CONSTRAINT "plan_event_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "plan"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The head of the log is one row, for ever; its identity tells the cursors of one database from another's.
ALTER TABLE "event_log" ADD CONSTRAINT "event_log_single_row" CHECK ("id" = 1);
INSERT INTO "event_log" ("id", "identity", "seq", "at") VALUES (1, gen_random_uuid()::text, 0, now());

-- An event is a fact. Old events may be deleted, never changed.
CREATE FUNCTION "refuse_event_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an event of a plan is never changed' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER "plan_event_is_a_fact" BEFORE UPDATE ON "plan_event"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_event_update"();

-- The profile that a plan runs under is frozen when the plan is created.
CREATE FUNCTION "refuse_profile_update"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the effective profile of a plan is never changed' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER "plan_effective_profile_is_frozen" BEFORE UPDATE ON "plan"
  FOR EACH ROW WHEN (OLD."effective_profile_snapshot_json" IS DISTINCT FROM NEW."effective_profile_snapshot_json")
  EXECUTE FUNCTION "refuse_profile_update"();

-- Wakes the readers of the log in other processes once the transaction is committed. It carries no data: they read.
CREATE FUNCTION "wake_event_readers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('phaseline_events', '');
  RETURN NULL;
END
$$;

CREATE TRIGGER "event_log_wakes_readers" AFTER UPDATE ON "event_log"
  FOR EACH STATEMENT EXECUTE FUNCTION "wake_event_readers"();
