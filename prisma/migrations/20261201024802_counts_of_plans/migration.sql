-- Counts of plans that are kept, so that they cost the same however many plans there are
-- (docs/decisions/counts-that-are-kept.md). The table is made from schema.prisma; by hand are COLLATE "C", the room for
-- updates, and all that follows.

-- CreateTable: each row is updated all the time, and stays on its page.
CREATE TABLE "plan_count" (
    "facet" TEXT COLLATE "C" NOT NULL,
    "live" BOOLEAN NOT NULL,
    "phase" "plan_phase" NOT NULL,
    "state" "plan_state" NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "plan_count_pkey" PRIMARY KEY ("facet","live","phase","state")
) WITH (fillfactor = 50);

-- What must be in "plan_count", by the plans themselves.
CREATE VIEW "plan_count_derived" AS
  SELECT "facet", "live", "phase", "state", count(*) AS "count" FROM (
    SELECT '' AS "facet", "archived_at" IS NULL AS "live", "phase", "state" FROM "plan"
    UNION ALL SELECT 'action:' || "action_name", "archived_at" IS NULL, "phase", "state" FROM "plan"
    UNION ALL SELECT f."facet", f."live", p."phase", p."state"
      FROM "plan_facet_derived" f JOIN "plan" p ON p."id" = f."plan_id" WHERE f."facet" NOT LIKE 'actor:%'
  ) f GROUP BY "facet", "live", "phase", "state";

-- For the plans that are there, and for those that someone writes while triggers are off.
CREATE FUNCTION "refill_plan_count"() RETURNS void LANGUAGE sql AS $$
  DELETE FROM "plan_count";
  INSERT INTO "plan_count" ("facet", "live", "phase", "state", "count")
    SELECT "facet", "live", "phase", "state", "count" FROM "plan_count_derived";
$$;

SELECT "refill_plan_count"();

-- Adds $5 for each facet of $1 at one position. The head of the log comes first, as it does for commands: else two who
-- count at once could wait for each other.
CREATE FUNCTION "count_plan"(TEXT[], BOOLEAN, "plan_phase", "plan_state", INTEGER)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM "event_log" FOR UPDATE;
  INSERT INTO "plan_count" ("facet", "live", "phase", "state", "count")
    SELECT DISTINCT f, $2, $3, $4, $5 FROM unnest($1) f
  ON CONFLICT ("facet", "live", "phase", "state") DO UPDATE SET "count" = "plan_count"."count" + excluded."count";
END
$$;

-- What a plan is counted under, but for its projects.
CREATE FUNCTION "counted_facets"("action_name" TEXT, "tags" TEXT[]) RETURNS TEXT[] LANGUAGE sql IMMUTABLE AS $$
  SELECT ARRAY['', 'action:' || "action_name"] || ARRAY(SELECT 'tag:' || t FROM unnest("tags") t)
$$;

CREATE FUNCTION "count_inserted_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "count_plan"("counted_facets"(NEW."action_name", NEW."tags"),
    NEW."archived_at" IS NULL, NEW."phase", NEW."state", 1);
  RETURN NULL;
END
$$;

CREATE TRIGGER "plan_insert_counts" AFTER INSERT ON "plan"
  FOR EACH ROW EXECUTE FUNCTION "count_inserted_plan"();

CREATE FUNCTION "count_updated_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  projects TEXT[] := ARRAY(SELECT "facet" FROM "plan_facet"
    WHERE "plan_id" = NEW."id" AND "facet" >= 'project:' AND "facet" < 'project;');
BEGIN
  PERFORM "count_plan"("counted_facets"(OLD."action_name", OLD."tags") || projects,
    OLD."archived_at" IS NULL, OLD."phase", OLD."state", -1);
  PERFORM "count_plan"("counted_facets"(NEW."action_name", NEW."tags") || projects,
    NEW."archived_at" IS NULL, NEW."phase", NEW."state", 1);
  RETURN NULL;
END
$$;

CREATE TRIGGER "plan_update_counts" AFTER UPDATE ON "plan" FOR EACH ROW
  WHEN ((OLD."phase", OLD."state", OLD."archived_at" IS NULL, OLD."tags", OLD."action_name")
    IS DISTINCT FROM (NEW."phase", NEW."state", NEW."archived_at" IS NULL, NEW."tags", NEW."action_name"))
  EXECUTE FUNCTION "count_updated_plan"();

-- A plan may have two links to one project: the facet, of which there is one, says when it counts.
CREATE OR REPLACE FUNCTION "add_facet_of_link"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  plan "plan";
BEGIN
  SELECT * INTO plan FROM "plan" p WHERE p."id" = NEW."plan_id";
  INSERT INTO "plan_facet" ("plan_id", "facet", "created_at", "live")
  VALUES (NEW."plan_id", 'project:' || NEW."project_name", plan."created_at", plan."archived_at" IS NULL)
  ON CONFLICT DO NOTHING;
  IF FOUND THEN
    PERFORM "count_plan"(ARRAY['project:' || NEW."project_name"],
      plan."archived_at" IS NULL, plan."phase", plan."state", 1);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "delete_facet_of_link"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "plan_facet" WHERE "plan_id" = OLD."plan_id" AND "facet" = 'project:' || OLD."project_name"
    AND NOT EXISTS (SELECT FROM "project_link" l
      WHERE l."plan_id" = OLD."plan_id" AND l."project_name" = OLD."project_name");
  IF FOUND THEN
    PERFORM "count_plan"(ARRAY['project:' || OLD."project_name"],
      p."archived_at" IS NULL, p."phase", p."state", -1) FROM "plan" p WHERE p."id" = OLD."plan_id";
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION "delete_facets_of_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "count_plan"("counted_facets"(OLD."action_name", OLD."tags"),
    OLD."archived_at" IS NULL, OLD."phase", OLD."state", -1);
  DELETE FROM "plan_facet" WHERE "plan_id" = OLD."id";
  RETURN NULL;
END
$$;
