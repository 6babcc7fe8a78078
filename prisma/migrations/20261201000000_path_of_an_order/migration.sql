-- The path of an order: journal, window rows and revisions, late store, quarantine, counters, definition, keys.
-- Instants are epoch milliseconds (BIGINT), amounts NUMERIC(38,4). What Prisma's schema language cannot say (storage,
-- checks, comments, a partial index) stands at the end.

-- CreateTable
CREATE TABLE "journal" (
    "position" BIGINT NOT NULL,
    "kind" SMALLINT NOT NULL,
    "at" BIGINT NOT NULL,
    "source" TEXT,
    "event_count" INTEGER NOT NULL,
    "rejected_count" INTEGER NOT NULL,
    "min_event_time" BIGINT,
    "max_event_time" BIGINT,
    "checksum" BIGINT NOT NULL,
    "append_id" UUID NOT NULL,
    "body" BYTEA NOT NULL,
    "appended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "journal_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "window_row" (
    "view" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "start_at" BIGINT NOT NULL,
    "end_at" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "dims" JSONB NOT NULL,
    "status" TEXT NOT NULL,
    "gross" DECIMAL(38,4) NOT NULL,
    "refunds" DECIMAL(38,4) NOT NULL,
    "orders" BIGINT NOT NULL,
    "buyers" BIGINT NOT NULL,
    "events" BIGINT NOT NULL,
    "revision" INTEGER NOT NULL,
    "left_out" TEXT[] NOT NULL,
    "fired_at" BIGINT,
    "updated_at" BIGINT NOT NULL,
    "watermark" BIGINT,
    "pos" BIGINT NOT NULL,

    CONSTRAINT "window_row_pkey" PRIMARY KEY ("view","version","start_at","key")
);

-- CreateTable
CREATE TABLE "revision" (
    "view" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "start_at" BIGINT NOT NULL,
    "end_at" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "dims" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "before_gross" DECIMAL(38,4),
    "before_refunds" DECIMAL(38,4),
    "before_orders" BIGINT,
    "before_buyers" BIGINT,
    "before_events" BIGINT,
    "after_gross" DECIMAL(38,4) NOT NULL,
    "after_refunds" DECIMAL(38,4) NOT NULL,
    "after_orders" BIGINT NOT NULL,
    "after_buyers" BIGINT NOT NULL,
    "after_events" BIGINT NOT NULL,
    "delta_net" DECIMAL(38,4) NOT NULL,
    "event_count" INTEGER NOT NULL,
    "event_ids" TEXT[] NOT NULL,
    "late_by" BIGINT NOT NULL,
    "watermark" BIGINT,
    "at" BIGINT NOT NULL,
    "pos" BIGINT NOT NULL,

    CONSTRAINT "revision_pkey" PRIMARY KEY ("view","version","start_at","key","revision")
);

-- CreateTable
CREATE TABLE "late_event" (
    "source" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "user_id" TEXT,
    "type" TEXT NOT NULL,
    "amount" DECIMAL(38,4) NOT NULL,
    "currency" TEXT NOT NULL,
    "event_time" BIGINT NOT NULL,
    "dimensions" JSONB NOT NULL,
    "window_start" BIGINT NOT NULL,
    "window_end" BIGINT NOT NULL,
    "watermark" BIGINT,
    "late_by" BIGINT NOT NULL,
    "received_at" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "row" INTEGER NOT NULL,
    "seen" INTEGER NOT NULL DEFAULT 1,
    "status" TEXT NOT NULL DEFAULT 'waiting',

    CONSTRAINT "late_event_pkey" PRIMARY KEY ("source","event_id")
);

-- CreateTable
CREATE TABLE "quarantine" (
    "position" BIGINT NOT NULL,
    "index" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "event_id" TEXT,
    "code" TEXT NOT NULL,
    "field" TEXT,
    "message" TEXT NOT NULL,
    "raw" TEXT NOT NULL,
    "cut" BOOLEAN NOT NULL,
    "received_at" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',

    CONSTRAINT "quarantine_pkey" PRIMARY KEY ("position","index")
);

-- CreateTable
CREATE TABLE "source_state" (
    "name" TEXT NOT NULL,
    "declared" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "watermark" BIGINT,
    "max_event_time" BIGINT,
    "last_record_at" BIGINT,
    "received" BIGINT NOT NULL DEFAULT 0,
    "in_time" BIGINT NOT NULL DEFAULT 0,
    "corrected" BIGINT NOT NULL DEFAULT 0,
    "late" BIGINT NOT NULL DEFAULT 0,
    "duplicate" BIGINT NOT NULL DEFAULT 0,
    "quarantined" BIGINT NOT NULL DEFAULT 0,
    "conflict" BIGINT NOT NULL DEFAULT 0,
    "quarantine_written_off" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "source_state_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "pipeline_state" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "position" BIGINT NOT NULL,
    "at" BIGINT NOT NULL,
    "watermark" BIGINT,
    "received" BIGINT NOT NULL DEFAULT 0,
    "in_time" BIGINT NOT NULL DEFAULT 0,
    "corrected" BIGINT NOT NULL DEFAULT 0,
    "late" BIGINT NOT NULL DEFAULT 0,
    "duplicate" BIGINT NOT NULL DEFAULT 0,
    "quarantined" BIGINT NOT NULL DEFAULT 0,
    "conflict" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "pipeline_state_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "spec_version" (
    "version" INTEGER NOT NULL,
    "spec" JSONB NOT NULL,
    "position" BIGINT NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "spec_version_pkey" PRIMARY KEY ("version")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "sources" TEXT[] NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "journal_min_event_time_max_event_time_idx" ON "journal"("min_event_time", "max_event_time");

-- CreateIndex
CREATE INDEX "window_row_view_version_pos_idx" ON "window_row"("view", "version", "pos");

-- CreateIndex
CREATE INDEX "revision_view_at_idx" ON "revision"("view", "at" DESC);

-- CreateIndex
CREATE INDEX "revision_view_kind_at_idx" ON "revision"("view", "kind", "at");

-- CreateIndex
CREATE INDEX "late_event_status_received_at_idx" ON "late_event"("status", "received_at");

-- CreateIndex
CREATE INDEX "quarantine_source_received_at_idx" ON "quarantine"("source", "received_at");

-- CreateIndex
CREATE INDEX "quarantine_status_received_at_idx" ON "quarantine"("status", "received_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- A batch is compressed before or not at all: the default column compression doubles Postgres's CPU on batch rows.
ALTER TABLE "journal" ALTER COLUMN "body" SET STORAGE EXTERNAL;

-- On-time revisions are many, what the screens list is few: corrections are found without reading past them.
CREATE INDEX "revision_published_change_idx" ON "revision"("view", "version", "at" DESC) WHERE "kind" <> 'on-time';

-- Checks
ALTER TABLE "journal"
  ADD CONSTRAINT "journal_position_check" CHECK ("position" > 0),
  ADD CONSTRAINT "journal_counts_check" CHECK ("event_count" >= 0 AND "rejected_count" >= 0),
  ADD CONSTRAINT "journal_event_time_check" CHECK (("min_event_time" IS NULL) = ("max_event_time" IS NULL) AND "min_event_time" <= "max_event_time");

ALTER TABLE "window_row"
  ADD CONSTRAINT "window_row_status_check" CHECK ("status" IN ('open', 'fired', 'closed', 'superseded')),
  ADD CONSTRAINT "window_row_span_check" CHECK ("start_at" < "end_at"),
  ADD CONSTRAINT "window_row_counts_check" CHECK ("orders" >= 0 AND "buyers" >= 0 AND "events" >= 0 AND "revision" >= 0),
  ADD CONSTRAINT "window_row_amounts_check" CHECK ("gross" >= 0 AND "refunds" >= 0),
  ADD CONSTRAINT "window_row_dims_check" CHECK (jsonb_typeof("dims") = 'array');

ALTER TABLE "revision"
  ADD CONSTRAINT "revision_kind_check" CHECK ("kind" IN ('on-time', 'correction', 'reconciled', 'superseded', 'inactivity')),
  ADD CONSTRAINT "revision_number_check" CHECK ("revision" > 0),
  ADD CONSTRAINT "revision_events_check" CHECK ("event_count" >= 0 AND cardinality("event_ids") <= 20),
  ADD CONSTRAINT "revision_before_check" CHECK (num_nulls("before_gross", "before_refunds", "before_orders", "before_buyers", "before_events") IN (0, 5)),
  ADD CONSTRAINT "revision_delta_check" CHECK ("delta_net" = ("after_gross" - "after_refunds") - (coalesce("before_gross", 0) - coalesce("before_refunds", 0)));

ALTER TABLE "late_event"
  ADD CONSTRAINT "late_event_status_check" CHECK ("status" IN ('waiting', 'reconciled', 'written_off', 'duplicate')),
  ADD CONSTRAINT "late_event_type_check" CHECK ("type" IN ('order', 'refund')),
  ADD CONSTRAINT "late_event_amount_check" CHECK ("amount" >= 0),
  ADD CONSTRAINT "late_event_seen_check" CHECK ("seen" >= 1);

ALTER TABLE "quarantine"
  ADD CONSTRAINT "quarantine_status_check" CHECK ("status" IN ('waiting', 'resent', 'written_off'));

ALTER TABLE "source_state"
  ADD CONSTRAINT "source_state_state_check" CHECK ("state" IN ('never', 'active', 'idle')),
  ADD CONSTRAINT "source_state_identity_check" CHECK ("received" = "in_time" + "corrected" + "late" + "duplicate" + "quarantined");

ALTER TABLE "pipeline_state"
  ADD CONSTRAINT "pipeline_state_one_row_check" CHECK ("id" = 1),
  ADD CONSTRAINT "pipeline_state_identity_check" CHECK ("received" = "in_time" + "corrected" + "late" + "duplicate" + "quarantined");

ALTER TABLE "api_key"
  ADD CONSTRAINT "api_key_hash_check" CHECK ("hash" ~ '^[0-9a-f]{64}$');

-- Comments
COMMENT ON TABLE "journal" IS 'Everything that can change a result, in order. Positions start at 1 and have no gaps; rows are never changed.';
COMMENT ON COLUMN "journal"."kind" IS 'Kind of the record as a number; server/journal/codec.ts has the list.';
COMMENT ON COLUMN "journal"."at" IS 'Journal time of the record''s last event, ms: the server''s receive time, never back.';
COMMENT ON COLUMN "journal"."source" IS 'The one source of its events; null when it has none or several.';
COMMENT ON COLUMN "journal"."min_event_time" IS 'Least event time in the batch, ms; null without events. With the greatest it finds the batches of a window.';
COMMENT ON COLUMN "journal"."checksum" IS 'Checksum of body, checked at each read.';
COMMENT ON COLUMN "journal"."append_id" IS 'The append that wrote the row: recognises an append whose COMMIT answer was lost.';
COMMENT ON COLUMN "journal"."body" IS 'Accepted events as columns and the rejected ones, or the command.';

COMMENT ON TABLE "window_row" IS 'What a window shows now, one row for each key. Values are absolute.';
COMMENT ON COLUMN "window_row"."version" IS 'Version of the view''s definition that the row was computed by.';
COMMENT ON COLUMN "window_row"."start_at" IS 'The window is [start_at, end_at), event time, ms.';
COMMENT ON COLUMN "window_row"."key" IS 'Canonical JSON array of currency and dimensions.';
COMMENT ON COLUMN "window_row"."dims" IS 'Values of the view''s dimensions in their order; null where the events had none.';
COMMENT ON COLUMN "window_row"."status" IS 'open: still filling. fired: complete by the watermark, corrections may come. closed: what comes now is late. superseded: replaced.';
COMMENT ON COLUMN "window_row"."orders" IS 'Distinct order ids of order events.';
COMMENT ON COLUMN "window_row"."buyers" IS 'Distinct user ids of order events.';
COMMENT ON COLUMN "window_row"."revision" IS '0 while open; 1 is the firing; each correction adds one.';
COMMENT ON COLUMN "window_row"."left_out" IS 'Sources that were idle when the window fired.';
COMMENT ON COLUMN "window_row"."fired_at" IS 'Journal time of the firing, ms.';
COMMENT ON COLUMN "window_row"."watermark" IS 'Pipeline watermark at the last change, ms; null when there was none.';
COMMENT ON COLUMN "window_row"."pos" IS 'Journal position of the flush that wrote the row.';

COMMENT ON TABLE "revision" IS 'Every published change of a row, append-only: why a number is what it is.';
COMMENT ON COLUMN "revision"."before_gross" IS 'before_* are null together: the row was not published before.';
COMMENT ON COLUMN "revision"."delta_net" IS 'Net after less net before.';
COMMENT ON COLUMN "revision"."event_ids" IS 'Up to 20 of the events behind the change; event_count has how many there were.';
COMMENT ON COLUMN "revision"."late_by" IS 'How long after the window''s end the change came, journal time, ms.';

COMMENT ON TABLE "late_event" IS 'Late store: events that came after their base window closed; each waits for re-injection or write-off.';
COMMENT ON COLUMN "late_event"."window_start" IS 'The base window that the event missed is [window_start, window_end), ms.';
COMMENT ON COLUMN "late_event"."late_by" IS 'How far past the window''s close the watermark was, ms.';
COMMENT ON COLUMN "late_event"."position" IS 'Journal position of the record that holds the event, and row its place in there.';
COMMENT ON COLUMN "late_event"."seen" IS 'Times that this id came late.';

COMMENT ON TABLE "quarantine" IS 'Events that failed a check at the edge, with their text as received.';
COMMENT ON COLUMN "quarantine"."index" IS 'Place in the request, from 0.';
COMMENT ON COLUMN "quarantine"."cut" IS 'raw was longer than 16 KiB and is cut: the event cannot be sent again from here.';

COMMENT ON TABLE "source_state" IS 'Clock and absolute counters of each source as of pipeline_state.position.';
COMMENT ON TABLE "pipeline_state" IS 'One row: the journal position whose results are committed, and the pipeline''s clock and counters there.';
COMMENT ON COLUMN "pipeline_state"."conflict" IS 'Duplicates that differ from the first; a part of duplicate.';

COMMENT ON TABLE "spec_version" IS 'Every definition of the pipeline that was in force, and from which journal position on.';

COMMENT ON TABLE "api_key" IS 'Ingest keys. The key itself is nowhere kept.';
COMMENT ON COLUMN "api_key"."prefix" IS 'First 10 characters, so that a person can tell keys apart.';
COMMENT ON COLUMN "api_key"."hash" IS 'SHA-256 of the key, hex. The key has 256 random bits, so it needs no salt and no slow hash.';
COMMENT ON COLUMN "api_key"."sources" IS 'Sources that it may send as; empty: all.';

COMMENT ON COLUMN "source_state"."quarantine_written_off" IS 'Quarantined events that are no longer kept, because the source has more than the store of them holds.';
