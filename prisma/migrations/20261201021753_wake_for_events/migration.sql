-- Readers are woken by new events alone. A statement that changes no row, or only how far the log is pruned, is none
-- of their business: with a retention there is one each second.
DROP TRIGGER "event_log_wakes_readers" ON "event_log";
CREATE TRIGGER "event_log_wakes_readers" AFTER UPDATE ON "event_log"
  FOR EACH ROW WHEN (OLD."seq" IS DISTINCT FROM NEW."seq")
  EXECUTE FUNCTION "wake_event_readers"();
