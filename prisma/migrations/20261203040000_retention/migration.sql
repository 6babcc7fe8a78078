-- What has been trimmed, table by table: rows that are gone must be known to be gone.

-- CreateTable
CREATE TABLE "retention" (
    "name" TEXT NOT NULL,
    "removed" BIGINT NOT NULL DEFAULT 0,
    "written_off" BIGINT NOT NULL DEFAULT 0,
    "kept_from" BIGINT NOT NULL,
    "ran_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "retention_pkey" PRIMARY KEY ("name")
);

ALTER TABLE "retention"
  ADD CONSTRAINT "retention_counts_check" CHECK ("removed" >= 0 AND "written_off" >= 0);

COMMENT ON TABLE "retention" IS 'What has been trimmed from each table, and how far.';
COMMENT ON COLUMN "retention"."name" IS 'Name of the table.';
COMMENT ON COLUMN "retention"."removed" IS 'Rows removed in all.';
COMMENT ON COLUMN "retention"."written_off" IS 'Rows that still waited for somebody and were written off: late events, quarantined events.';
COMMENT ON COLUMN "retention"."kept_from" IS 'Journal time, ms, before which rows may be gone.';
