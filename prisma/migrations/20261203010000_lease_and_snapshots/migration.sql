-- Who may write, what a start begins from, which records are left out, and how far a large flush has come.

-- CreateTable
CREATE TABLE "engine_lease" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "epoch" BIGINT NOT NULL,
    "holder" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "beat" BIGINT NOT NULL,

    CONSTRAINT "engine_lease_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "snapshot" (
    "position" BIGINT NOT NULL,
    "at" BIGINT NOT NULL,
    "rules_version" INTEGER NOT NULL,
    "format" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "segments" JSONB NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "snapshot_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "snapshot_segment" (
    "hash" TEXT NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "snapshot_segment_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "skipped_record" (
    "position" BIGINT NOT NULL,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "fault" TEXT NOT NULL,
    "skipped_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "skipped_record_pkey" PRIMARY KEY ("position")
);

-- AlterTable
ALTER TABLE "pipeline_state" ADD COLUMN     "flush_to" BIGINT,
ADD COLUMN     "cursor" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE UNIQUE INDEX "engine_lease_epoch_key" ON "engine_lease"("epoch");

-- One lease. `epoch` is unique so that a takeover, which changes it, waits for transactions that hold the row FOR KEY
-- SHARE, while a beat, which does not, passes them.
ALTER TABLE "engine_lease" ADD CONSTRAINT "engine_lease_one" CHECK ("id" = 1);

-- Ids are random bits: compressing them costs processor time and gives nothing.
ALTER TABLE "snapshot_segment" ALTER COLUMN "body" SET STORAGE EXTERNAL;

COMMENT ON TABLE "engine_lease" IS 'Who writes: every writing transaction begins with its epoch.';
COMMENT ON COLUMN "engine_lease"."holder" IS 'application_name of the holder''s connections, by which a successor ends them';
COMMENT ON COLUMN "engine_lease"."url" IS 'Where the holder answers';
COMMENT ON TABLE "snapshot" IS 'States of the engine; a start folds only what came after the newest readable one';
COMMENT ON COLUMN "snapshot"."segments" IS 'Names and hashes of its segments, in order';
COMMENT ON TABLE "snapshot_segment" IS 'Segments by the SHA-256 of their body, shared by the snapshots that have them';
COMMENT ON TABLE "skipped_record" IS 'Damaged journal records that an operator let the engine pass over';
COMMENT ON COLUMN "pipeline_state"."flush_to" IS 'Position that a flush of several transactions leads to; null when none is under way';
COMMENT ON COLUMN "pipeline_state"."cursor" IS 'Transactions of that flush that are done';
