ALTER TABLE "orders" ADD COLUMN "amount_total" integer;--> statement-breakpoint
UPDATE "orders" SET "amount_total" = "unit_amount" * "quantity";--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "amount_total" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "revision" integer NOT NULL;