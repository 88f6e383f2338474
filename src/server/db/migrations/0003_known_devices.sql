ALTER TABLE "sign_in_challenges" ADD COLUMN "device" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_counts" ADD COLUMN "device" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_in_counts" DROP CONSTRAINT "sign_in_counts_pkey";--> statement-breakpoint
ALTER TABLE "sign_in_counts" ADD CONSTRAINT "sign_in_counts_pk" PRIMARY KEY("email_normal","device");
