CREATE TABLE "audit_entries" (
	"id" bigserial NOT NULL,
	"stream" smallint NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"event" text NOT NULL,
	"user_id" uuid,
	"about" text NOT NULL,
	"key" text NOT NULL,
	"seal" text NOT NULL,
	CONSTRAINT "audit_entries_stream_seq_pk" PRIMARY KEY("stream","seq")
);
--> statement-breakpoint
CREATE TABLE "audit_heads" (
	"stream" smallint PRIMARY KEY NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"seal" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
INSERT INTO "audit_heads" ("stream") SELECT generate_series(0, 63);--> statement-breakpoint
CREATE INDEX "audit_entries_user" ON "audit_entries" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "audit_entries_marks" ON "audit_entries" USING btree ("event","stream","seq") WHERE event in ('adopted', 'trimmed');--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "result_seen_at" timestamp with time zone;
