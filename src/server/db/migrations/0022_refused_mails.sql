ALTER TABLE "mails" ADD COLUMN "refusals" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "mails" SET "refusals" = "tries" FROM "instances" WHERE "instances"."id" = "mails"."instance_id" AND "instances"."invitation" IN ('refused', 'unwanted') AND "mails"."kind" = 'invitation' AND "mails"."failed_at" IS NOT NULL;
