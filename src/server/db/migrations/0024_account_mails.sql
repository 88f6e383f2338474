ALTER TABLE "mails" DROP CONSTRAINT "mails_kind";--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "instance_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_about" CHECK ((instance_id is null) = (kind in ('new-device', 'session-ended', 'account-closed')));--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_kind" CHECK (kind in ('invitation', 'taken-back', 'token-returned', 'new-device', 'session-ended', 'account-closed'));