CREATE TABLE "mail_suppressions" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "brief_opened_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "invitation" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "client" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "agent" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "repeats" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "repeats_today" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "repeats_day" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD COLUMN "client" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD COLUMN "purpose" text DEFAULT 'sign-in' NOT NULL;--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "rate_limits" USING btree ("expire");--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_invitation" CHECK (invitation in ('waiting', 'sent', 'refused', 'given-up', 'unwanted'));--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_purpose" CHECK (purpose in ('sign-in', 'close-account'));--> statement-breakpoint
UPDATE "instances" SET "brief_opened_at" = coalesce("started_at", "completed_at") WHERE "started_at" IS NOT NULL OR "completed_at" IS NOT NULL;--> statement-breakpoint
UPDATE "instances" SET "invitation" = 'sent' WHERE "invited_at" IS NOT NULL;--> statement-breakpoint
UPDATE "instances" SET "invitation" = 'given-up' FROM "mails" WHERE "mails"."instance_id" = "instances"."id" AND "mails"."kind" = 'invitation' AND "mails"."failed_at" IS NOT NULL AND "mails"."created_at" >= "instances"."invited_at" AND "instances"."status" <> 'RECLAIMED';--> statement-breakpoint
UPDATE "instances" SET "invitation" = 'waiting' FROM "mails" WHERE "mails"."instance_id" = "instances"."id" AND "mails"."kind" = 'invitation' AND "mails"."next_try_at" IS NOT NULL;
