-- still works with builds from: 0017
CREATE TABLE "bounced_addresses" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "bounced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "bounced_why" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "bounced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "bounced_why" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "bounced_code" text;--> statement-breakpoint
CREATE INDEX "mails_bounced" ON "mails" USING btree ("bounced_at") WHERE bounced_at is not null;--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_bounced_why" CHECK (bounced_why in ('unknown-address', 'mailbox-full', 'not-accepted'));--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_bounced_whole" CHECK ((bounced_at is null) = (bounced_why is null));--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_bounced_why" CHECK (bounced_why in ('unknown-address', 'mailbox-full', 'not-accepted'));--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_bounced_whole" CHECK ((bounced_at is null) = (bounced_why is null));