-- The rules of time: windows told apart by more than their start (cumulate windows, sessions), sketches of distinct
-- ids, what an operator tells the engine and what it notices, sources by strategy, the right to give commands.
-- What Prisma's schema language cannot say (storage, checks, comments) stands at the end.

-- AlterTable
ALTER TABLE "window_row" DROP CONSTRAINT "window_row_pkey",
ADD COLUMN     "window_id" BIGINT,
ADD COLUMN     "by_inactivity" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "sketch_orders" BYTEA,
ADD COLUMN     "sketch_buyers" BYTEA;

-- Until now every window was told by its start.
UPDATE "window_row" SET "window_id" = "start_at";

-- AlterTable
ALTER TABLE "window_row" ALTER COLUMN "window_id" SET NOT NULL,
ADD CONSTRAINT "window_row_pkey" PRIMARY KEY ("view", "version", "window_id", "key");

-- AlterTable
ALTER TABLE "revision" DROP CONSTRAINT "revision_pkey",
ADD COLUMN     "window_id" BIGINT;

UPDATE "revision" SET "window_id" = "start_at";

-- AlterTable
ALTER TABLE "revision" ALTER COLUMN "window_id" SET NOT NULL,
ADD CONSTRAINT "revision_pkey" PRIMARY KEY ("view", "version", "window_id", "key", "revision");

-- AlterTable
ALTER TABLE "pipeline_state" ADD COLUMN     "test" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "overflow" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "source_state" ADD COLUMN     "test" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "overflow" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "strategy" TEXT NOT NULL DEFAULT 'bounded',
ADD COLUMN     "bound" BIGINT,
ADD COLUMN     "is_test" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "resends_history" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "would_pause" BOOLEAN NOT NULL DEFAULT false;

-- The rows that there are were bounded; every new one says what it is.
ALTER TABLE "source_state" ALTER COLUMN "strategy" DROP DEFAULT;

-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "operator" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "missed_window" (
    "position" BIGINT NOT NULL,
    "row" INTEGER NOT NULL,
    "view" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_time" BIGINT NOT NULL,
    "windows" INTEGER NOT NULL,
    "first_start" BIGINT NOT NULL,
    "last_end" BIGINT NOT NULL,
    "watermark" BIGINT,
    "received_at" BIGINT NOT NULL,

    CONSTRAINT "missed_window_pkey" PRIMARY KEY ("position","row","view")
);

-- CreateTable
CREATE TABLE "notice" (
    "position" BIGINT NOT NULL,
    "index" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "notice_pkey" PRIMARY KEY ("position","index")
);

-- CreateTable
CREATE TABLE "command_log" (
    "position" BIGINT NOT NULL,
    "at" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "command" JSONB NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "refused" TEXT,
    "changes" TEXT[] NOT NULL,
    "watermark_before" BIGINT,
    "watermark_after" BIGINT,

    CONSTRAINT "command_log_pkey" PRIMARY KEY ("position")
);

-- CreateIndex
CREATE INDEX "window_row_view_version_start_at_idx" ON "window_row"("view", "version", "start_at");

-- CreateIndex
CREATE INDEX "missed_window_received_at_idx" ON "missed_window"("received_at");

-- A dense sketch is 1,282 bytes of packed registers, which the default compression tries and does not make smaller:
-- the attempt would cost CPU for each row written. Out of line they do not widen the rows that every page reads.
ALTER TABLE "window_row"
  ALTER COLUMN "sketch_orders" SET STORAGE EXTERNAL,
  ALTER COLUMN "sketch_buyers" SET STORAGE EXTERNAL;

-- Checks
ALTER TABLE "window_row"
  ADD CONSTRAINT "window_row_sketches_check" CHECK (("sketch_orders" IS NULL) = ("sketch_buyers" IS NULL)),
  ADD CONSTRAINT "window_row_superseded_check" CHECK ("status" <> 'superseded' OR ("gross" = 0 AND "refunds" = 0 AND "orders" = 0 AND "buyers" = 0 AND "events" = 0));

ALTER TABLE "source_state"
  DROP CONSTRAINT "source_state_state_check",
  ADD CONSTRAINT "source_state_state_check" CHECK ("state" IN ('never', 'active', 'idle', 'retired')),
  ADD CONSTRAINT "source_state_strategy_check" CHECK ("strategy" IN ('bounded', 'ascending', 'punctuated', 'adaptive')),
  ADD CONSTRAINT "source_state_bound_check" CHECK ("bound" >= 0),
  ADD CONSTRAINT "source_state_overflow_check" CHECK ("overflow" <= "in_time" + "corrected");

ALTER TABLE "pipeline_state"
  ADD CONSTRAINT "pipeline_state_overflow_check" CHECK ("overflow" <= "in_time" + "corrected");

ALTER TABLE "missed_window"
  ADD CONSTRAINT "missed_window_windows_check" CHECK ("windows" > 0 AND "first_start" < "last_end");

ALTER TABLE "command_log"
  ADD CONSTRAINT "command_log_kind_check" CHECK ("kind" = "command" ->> 'kind'),
  ADD CONSTRAINT "command_log_refused_check" CHECK ("refused" IS NULL OR cardinality("changes") = 0),
  ADD CONSTRAINT "command_log_watermark_check" CHECK ("watermark_after" >= "watermark_before");

-- Comments
COMMENT ON COLUMN "window_row"."window_id" IS 'What tells the window from others of its view: its start, a cumulate window''s end, a session''s number.';
COMMENT ON COLUMN "window_row"."start_at" IS 'The window is [start_at, end_at), event time, ms; of a session both move while it is open.';
COMMENT ON COLUMN "window_row"."status" IS 'open: still filling. fired: complete by the watermark, corrections may come. closed: what comes now is late. superseded: its session was merged into another; all values are 0.';
COMMENT ON COLUMN "window_row"."by_inactivity" IS 'It fired because everybody was silent; the watermark has not reached its end.';
COMMENT ON COLUMN "window_row"."sketch_orders" IS 'Mergeable sketch of the distinct orders, server/contracts/sketch.ts; null while open and in views that have none.';
COMMENT ON COLUMN "window_row"."sketch_buyers" IS 'The same of the distinct buyers.';

COMMENT ON COLUMN "revision"."window_id" IS 'The window_id of its window_row.';

COMMENT ON COLUMN "pipeline_state"."test" IS 'Accepted events of test sources: never counted, outside of received.';
COMMENT ON COLUMN "pipeline_state"."overflow" IS 'Counted events whose key fell into __other__ in some view; a part of in_time and corrected.';

COMMENT ON COLUMN "source_state"."test" IS 'Its accepted events while it was a test source: never counted, outside of received.';
COMMENT ON COLUMN "source_state"."overflow" IS 'Its counted events whose key fell into __other__ in some view.';
COMMENT ON COLUMN "source_state"."state" IS 'never: it has not spoken. retired: it has no clock any more, its counters stay.';
COMMENT ON COLUMN "source_state"."strategy" IS 'How its watermark follows its events.';
COMMENT ON COLUMN "source_state"."bound" IS 'Out-of-orderness bound in force, ms, of an adaptive source the one it has learned; null where there is none.';
COMMENT ON COLUMN "source_state"."resends_history" IS 'More than half of its last 200 events were a day older than what it had sent.';
COMMENT ON COLUMN "source_state"."would_pause" IS 'Alignment would have it wait for slower sources.';

COMMENT ON TABLE "missed_window" IS 'Counted events that came too late for some of their windows, where the base view''s windows overlap.';
COMMENT ON COLUMN "missed_window"."position" IS 'Journal position of the record that holds the event, and row its place in there.';
COMMENT ON COLUMN "missed_window"."windows" IS 'How many windows were closed to it: the first begins at first_start, the last ends at last_end, ms.';

COMMENT ON TABLE "notice" IS 'What an operator should know and no counter shows. Said once when it begins.';
COMMENT ON COLUMN "notice"."position" IS 'Journal position of the record behind it, and index its place among the notices of that record.';
COMMENT ON COLUMN "notice"."subject" IS 'The source, or the view, that it is about.';
COMMENT ON COLUMN "notice"."at" IS 'Journal time, ms.';

COMMENT ON TABLE "command_log" IS 'Every command to the engine, done or refused: who gave it, why, and what it changed.';
COMMENT ON COLUMN "command_log"."position" IS 'Its place in the journal, where it stands for ever.';
COMMENT ON COLUMN "command_log"."refused" IS 'Why it was refused, in words; null: done.';
COMMENT ON COLUMN "command_log"."changes" IS 'What it changed, in words.';

COMMENT ON COLUMN "api_key"."operator" IS 'May give commands to the engine, beside sending events.';
