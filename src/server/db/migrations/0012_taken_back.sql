ALTER TABLE "mails" DROP CONSTRAINT "mails_kind";--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "player_name" text;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind" CHECK (kind in ('invitation', 'taken-back', 'token-returned'));
