-- An index over the parts of names, for the filter nameContains (docs/decisions/an-index-for-every-page.md). The table is
-- made from schema.prisma; by hand are COLLATE "C" and all that follows.

-- CreateTable
CREATE TABLE "plan_name" (
    "plan_id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "plan_name_pkey" PRIMARY KEY ("plan_id")
);

-- The three characters at each place of a text, behind whose end are two spaces.
CREATE FUNCTION "parts_of_three"("whole" TEXT) RETURNS TEXT[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  parts TEXT[] := '{}';
BEGIN
  FOR i IN 1..length("whole") LOOP
    parts[i] := substr("whole" || '  ', i, 3);
  END LOOP;
  RETURN parts;
END
$$;

-- For the plans that are there, and for those that someone writes while triggers are off.
CREATE FUNCTION "refill_plan_name"() RETURNS void LANGUAGE sql AS $$
  DELETE FROM "plan_name";
  INSERT INTO "plan_name" ("plan_id", "name") SELECT "id", "name" FROM "plan";
$$;

SELECT "refill_plan_name"();

-- New names wait in a list of 1 MiB, which each search looks through too. Statistics would be of no use to the planner,
-- which takes parts of one name to be independent of each other: without, it takes every search to find little.
CREATE INDEX "plan_name_parts_idx" ON "plan_name" USING GIN ("parts_of_three"("name"))
  WITH (fastupdate = on, gin_pending_list_limit = 1024);
ALTER INDEX "plan_name_parts_idx" ALTER COLUMN 1 SET STATISTICS 0;

CREATE FUNCTION "add_name_of_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "plan_name" ("plan_id", "name") VALUES (NEW."id", NEW."name");
  RETURN NULL;
END
$$;

CREATE TRIGGER "plan_insert_adds_name" AFTER INSERT ON "plan"
  FOR EACH ROW EXECUTE FUNCTION "add_name_of_plan"();

CREATE FUNCTION "change_name_of_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "plan_name" SET "name" = NEW."name" WHERE "plan_id" = NEW."id";
  RETURN NULL;
END
$$;

CREATE TRIGGER "plan_update_changes_name" AFTER UPDATE ON "plan" FOR EACH ROW
  WHEN (OLD."name" <> NEW."name") EXECUTE FUNCTION "change_name_of_plan"();

CREATE FUNCTION "delete_name_of_plan"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "plan_name" WHERE "plan_id" = OLD."id";
  RETURN NULL;
END
$$;

CREATE TRIGGER "plan_delete_deletes_name" AFTER DELETE ON "plan"
  FOR EACH ROW EXECUTE FUNCTION "delete_name_of_plan"();
