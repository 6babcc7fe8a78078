-- What was erased, and who asked for it.

-- CreateTable
CREATE TABLE "erasure" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "sources" TEXT[] NOT NULL DEFAULT '{}',
    "position" BIGINT NOT NULL,
    "records" INTEGER NOT NULL,
    "events" BIGINT NOT NULL,
    "rows" BIGINT NOT NULL,

    CONSTRAINT "erasure_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "erasure"
  ADD CONSTRAINT "erasure_counts_check" CHECK ("records" >= 0 AND "events" >= 0 AND "rows" >= 0);

COMMENT ON TABLE "erasure" IS 'Every time that a user id was replaced by a pseudonym. Neither of the two stands here.';
COMMENT ON COLUMN "erasure"."sources" IS 'Sources that it was limited to; empty: all.';
COMMENT ON COLUMN "erasure"."position" IS 'Last journal position that was looked at.';
COMMENT ON COLUMN "erasure"."records" IS 'Journal records that were rewritten, and events in them that were the user''s.';
COMMENT ON COLUMN "erasure"."rows" IS 'Rows of other tables that held the id: late store, quarantine, rows and revisions of views by user.';

COMMENT ON TABLE "journal" IS 'Everything that can change a result, in order. Positions start at 1 and have no gaps; rows are never changed, but for the id of a user who was erased.';
