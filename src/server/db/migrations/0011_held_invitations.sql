-- still works with builds from: 0010
ALTER TABLE "instances" ADD COLUMN "held_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "mails_mailbox" ON "mails" USING btree (regexp_replace(to_normal, '^([^+]+)\+[^@]*@', '\1@'));