-- Indexes for every order and every single filter of plans, newest first, so that a page costs the same however many
-- plans there are (docs/decisions/an-index-for-every-page.md). Made from schema.prisma are the drops and the table; by
-- hand are COLLATE "C", the indexes over expressions, and the triggers that keep the table.

-- DropIndex
DROP INDEX "plan_action_name_id_idx";
DROP INDEX "plan_created_at_id_idx";
DROP INDEX "plan_name_id_idx";
DROP INDEX "plan_parent_plan_id_created_at_id_idx";
DROP INDEX "plan_phase_id_idx";
DROP INDEX "plan_root_plan_id_idx";
DROP INDEX "plan_state_id_idx";
DROP INDEX "plan_tags_idx";
DROP INDEX "plan_updated_at_id_idx";

-- CreateTable
CREATE TABLE "plan_facet" (
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "facet" TEXT COLLATE "C" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "live" BOOLEAN NOT NULL,

    CONSTRAINT "plan_facet_pkey" PRIMARY KEY ("plan_id","facet")
);

-- Each order, over the plans that are not archived and over those that are.
CREATE INDEX "plan_created_idx" ON "plan"(("archived_at" IS NULL), "created_at", "id");
CREATE INDEX "plan_updated_idx" ON "plan"(("archived_at" IS NULL), "updated_at", "id");
CREATE INDEX "plan_name_idx" ON "plan"(("archived_at" IS NULL), "name", "id");
CREATE INDEX "plan_phase_idx" ON "plan"(("archived_at" IS NULL), "phase", "id");
CREATE INDEX "plan_state_idx" ON "plan"(("archived_at" IS NULL), "state", "id");

-- Each filter by one value of a plan, in the order of creation.
CREATE INDEX "plan_phase_created_idx" ON "plan"(("archived_at" IS NULL), "phase", "created_at", "id");
CREATE INDEX "plan_state_created_idx" ON "plan"(("archived_at" IS NULL), "state", "created_at", "id");
CREATE INDEX "plan_action_created_idx" ON "plan"(("archived_at" IS NULL), "action_name", "created_at", "id");
CREATE INDEX "plan_level_created_idx" ON "plan"(("archived_at" IS NULL), "automation_level", "created_at", "id");
CREATE INDEX "plan_root_created_idx" ON "plan"(("archived_at" IS NULL), "root_plan_id", "created_at", "id");
CREATE INDEX "plan_parent_created_idx" ON "plan"(("archived_at" IS NULL), "parent_plan_id", "created_at", "id")
  WHERE "parent_plan_id" IS NOT NULL;
CREATE INDEX "plan_with_parent_created_idx" ON "plan"(("archived_at" IS NULL), "created_at", "id")
  WHERE "parent_plan_id" IS NOT NULL;
CREATE INDEX "plan_without_parent_created_idx" ON "plan"(("archived_at" IS NULL), "created_at", "id")
  WHERE "parent_plan_id" IS NULL;

-- What a plan has several of.
CREATE FUNCTION "facets_of_plan"("tags" TEXT[], "actors" TEXT[]) RETURNS SETOF TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT 'tag:' || t FROM unnest("tags") t
  UNION SELECT 'actor:' || a FROM unnest("actors") a WHERE a IS NOT NULL
$$;

-- What must be in "plan_facet", by the plans themselves.
CREATE VIEW "plan_facet_derived" AS
  SELECT p."id" AS "plan_id", f."facet", p."created_at", p."archived_at" IS NULL AS "live" FROM "plan" p
  CROSS JOIN LATERAL (
    SELECT "facets_of_plan"(p."tags",
      ARRAY[p."strategy_actor", p."execution_actor", p."estimation_actor", p."invariant_actor"])
    UNION SELECT 'project:' || l."project_name" FROM "project_link" l WHERE l."plan_id" = p."id"
  ) f("facet");

-- For the plans that are there, and for those that someone writes while triggers are off.
CREATE FUNCTION "refill_plan_facet"() RETURNS void LANGUAGE sql AS $$
  DELETE FROM "plan_facet";
  INSERT INTO "plan_facet" ("plan_id", "facet", "created_at", "live")
    SELECT "plan_id", "facet", "created_at", "live" FROM "plan_facet_derived";
$$;

SELECT "refill_plan_facet"();

-- CreateIndex
CREATE INDEX "plan_facet_facet_live_created_at_plan_id_idx" ON "plan_facet"("facet", "live", "created_at", "plan_id");

-- The triggers are for each row: a statement that writes no such row, as most commands do, pays nothing.
CREATE FUNCTION "add_facets_of_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "plan_facet" ("plan_id", "facet", "created_at", "live")
  SELECT NEW."id", f."facet", NEW."created_at", NEW."archived_at" IS NULL
  FROM "facets_of_plan"(NEW."tags",
    ARRAY[NEW."strategy_actor", NEW."execution_actor", NEW."estimation_actor", NEW."invariant_actor"]) f("facet");
  RETURN NULL;
END
$$;

CREATE TRIGGER "plan_insert_adds_facets" AFTER INSERT ON "plan"
  FOR EACH ROW EXECUTE FUNCTION "add_facets_of_plan"();

CREATE FUNCTION "add_facet_of_link"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "plan_facet" ("plan_id", "facet", "created_at", "live")
  SELECT p."id", 'project:' || NEW."project_name", p."created_at", p."archived_at" IS NULL
  FROM "plan" p WHERE p."id" = NEW."plan_id"
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER "project_link_insert_adds_facet" AFTER INSERT ON "project_link"
  FOR EACH ROW EXECUTE FUNCTION "add_facet_of_link"();

CREATE FUNCTION "change_facets_of_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "plan_facet" WHERE "plan_id" = NEW."id"
    AND "facet" IN (SELECT 'tag:' || t FROM unnest(OLD."tags") t WHERE t <> ALL (NEW."tags"));
  INSERT INTO "plan_facet" ("plan_id", "facet", "created_at", "live")
    SELECT DISTINCT NEW."id", 'tag:' || t, NEW."created_at", NEW."archived_at" IS NULL
    FROM unnest(NEW."tags") t WHERE t <> ALL (OLD."tags");
  UPDATE "plan_facet" SET "live" = NEW."archived_at" IS NULL, "created_at" = NEW."created_at"
    WHERE "plan_id" = NEW."id"
    AND ("live", "created_at") IS DISTINCT FROM (NEW."archived_at" IS NULL, NEW."created_at");
  RETURN NULL;
END
$$;

CREATE TRIGGER "plan_update_changes_facets" AFTER UPDATE ON "plan" FOR EACH ROW
  WHEN ((OLD."tags", OLD."archived_at" IS NULL, OLD."created_at")
    IS DISTINCT FROM (NEW."tags", NEW."archived_at" IS NULL, NEW."created_at"))
  EXECUTE FUNCTION "change_facets_of_plan"();

-- No command deletes a plan or a link; who does it by hand deletes the facets with them.
CREATE FUNCTION "delete_facets_of_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "plan_facet" WHERE "plan_id" = OLD."id";
  RETURN NULL;
END
$$;

CREATE TRIGGER "plan_delete_deletes_facets" AFTER DELETE ON "plan"
  FOR EACH ROW EXECUTE FUNCTION "delete_facets_of_plan"();

CREATE FUNCTION "delete_facet_of_link"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "plan_facet" WHERE "plan_id" = OLD."plan_id" AND "facet" = 'project:' || OLD."project_name"
    AND NOT EXISTS (SELECT FROM "project_link" l
      WHERE l."plan_id" = OLD."plan_id" AND l."project_name" = OLD."project_name");
  RETURN NULL;
END
$$;

CREATE TRIGGER "project_link_delete_deletes_facet" AFTER DELETE ON "project_link"
  FOR EACH ROW EXECUTE FUNCTION "delete_facet_of_link"();
