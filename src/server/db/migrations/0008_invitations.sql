ALTER TABLE "token_ledger" DROP CONSTRAINT "token_ledger_instance_id_instances_id_fk";--> statement-breakpoint
ALTER TABLE "allocations" DROP CONSTRAINT "allocations_instance_id_instances_id_fk";--> statement-breakpoint
ALTER TABLE "mails" DROP CONSTRAINT "mails_instance_id_instances_id_fk";--> statement-breakpoint
ALTER TABLE "token_ledger" ADD CONSTRAINT "token_ledger_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "instances_waiting" ON "instances" USING btree ("allocated_at") WHERE user_id is null and email <> '';
--> statement-breakpoint
UPDATE "instances" SET "id" = gen_random_uuid(), "user_id" = NULL, "order_id" = CASE WHEN "instances"."status" = 'COMPLETED' THEN NULL ELSE "instances"."order_id" END, "email_normal" = 'erased:' || gen_random_uuid() FROM "users" WHERE "users"."id" = "instances"."user_id" AND "users"."erased_at" IS NOT NULL;
