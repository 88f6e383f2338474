ALTER TABLE "assessments" ADD COLUMN "words" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "erased_at" timestamp with time zone;