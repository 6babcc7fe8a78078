-- The late store: what is known of each late event, which events of the journal were counted, and what commands of the
-- late store changed since. Facts carry positions, so that what held before a position can be asked for at any time.

-- AlterTable
ALTER TABLE "late_event" ALTER COLUMN "status" SET DEFAULT 'unverified',
ADD COLUMN     "conflict" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "settled" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "verified_to" BIGINT;

-- AlterTable
ALTER TABLE "revision" ADD COLUMN     "by" TEXT;

-- AlterTable
ALTER TABLE "pipeline_state" ADD COLUMN     "outcomes_from" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "late_occurrence" (
    "source" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "row" INTEGER NOT NULL,

    CONSTRAINT "late_occurrence_pkey" PRIMARY KEY ("source","event_id","position","row")
);

-- CreateTable
CREATE TABLE "late_change" (
    "by" BIGINT NOT NULL,
    "source" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "row" INTEGER NOT NULL,
    "change" TEXT NOT NULL,
    "settles" INTEGER NOT NULL,

    CONSTRAINT "late_change_pkey" PRIMARY KEY ("source","event_id","by")
);

-- CreateTable
CREATE TABLE "record_outcome" (
    "position" BIGINT NOT NULL,
    "uncounted" BYTEA,
    "corrected" BYTEA,

    CONSTRAINT "record_outcome_pkey" PRIMARY KEY ("position")
);

-- CreateIndex
CREATE INDEX "late_change_position_idx" ON "late_change"("position");

-- Outcomes of single events were not kept until now: windows that hold older ones cannot be recomputed.
UPDATE "pipeline_state" SET "outcomes_from" = "position";

-- Nobody has looked yet whether those that wait were counted before.
ALTER TABLE "late_event" DROP CONSTRAINT "late_event_status_check";
UPDATE "late_event" SET "status" = 'unverified' WHERE "status" = 'waiting';
-- Where their repeats stand was not kept: only the first is left to account for.
UPDATE "late_event" SET "settled" = "seen" - 1;
INSERT INTO "late_occurrence" ("source", "event_id", "position", "row")
  SELECT "source", "event_id", "position", "row" FROM "late_event";

-- Checks
ALTER TABLE "late_event"
  ADD CONSTRAINT "late_event_status_check" CHECK ("status" IN ('unverified', 'waiting', 'reconciled', 'written_off', 'duplicate', 'voided')),
  ADD CONSTRAINT "late_event_settled_check" CHECK ("settled" BETWEEN 0 AND "seen"),
  DROP CONSTRAINT "late_event_seen_check",
  ADD CONSTRAINT "late_event_seen_check" CHECK ("seen" >= 0 AND ("seen" >= 1 OR "status" <> 'unverified'));

ALTER TABLE "late_change"
  ADD CONSTRAINT "late_change_change_check" CHECK ("change" IN ('reconciled', 'written_off', 'duplicate', 'voided')),
  ADD CONSTRAINT "late_change_settles_check" CHECK ("settles" >= 0);

ALTER TABLE "revision"
  ADD CONSTRAINT "revision_by_check" CHECK (("by" IS NOT NULL) = ("kind" = 'reconciled'));

-- Comments
COMMENT ON COLUMN "late_event"."status" IS 'unverified: it may be a repeat of a counted event. waiting: it is none. reconciled: re-injected. written_off. duplicate: proven repeat. voided: it had been counted and was taken out.';
COMMENT ON COLUMN "late_event"."seen" IS 'Times that this id came late; 0 for one that was counted and voided.';
COMMENT ON COLUMN "late_event"."settled" IS 'How many of these a command has accounted for.';
COMMENT ON COLUMN "late_event"."conflict" IS 'A proven repeat whose time or content differs from the first.';
COMMENT ON COLUMN "late_event"."verified_to" IS 'Journal position up to which no counted event has its id; null: not looked yet.';
COMMENT ON COLUMN "revision"."by" IS 'Who reconciled it; null for what the engine published by itself.';
COMMENT ON COLUMN "pipeline_state"."outcomes_from" IS 'Outcomes of single events are kept for journal positions above this one.';
COMMENT ON TABLE "late_occurrence" IS 'Every time that an id came late, by its place in the journal.';
COMMENT ON TABLE "late_change" IS 'What commands of the late store made of single events.';
COMMENT ON COLUMN "late_change"."by" IS 'Journal position of the command.';
COMMENT ON COLUMN "late_change"."position" IS 'Journal position of the event that is counted, or no longer, and row its place in that record.';
COMMENT ON TABLE "record_outcome" IS 'Journal records with events that were not counted in time; a record that is not here has none.';
COMMENT ON COLUMN "record_outcome"."uncounted" IS 'Rows that were late, duplicate or of a test source: row i is bit i % 8 of byte i / 8.';
COMMENT ON COLUMN "record_outcome"."corrected" IS 'Rows that were counted as corrections, in the same way.';
