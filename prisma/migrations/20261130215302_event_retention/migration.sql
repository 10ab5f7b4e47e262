-- AlterTable
ALTER TABLE "event_log" ADD COLUMN     "pruned_to" BIGINT NOT NULL DEFAULT 0;
