CREATE TABLE "allocations" (
	"coach_id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"instance_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "allocations_pk" PRIMARY KEY("coach_id","operation_id")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"to" text NOT NULL,
	"to_normal" text NOT NULL,
	"instance_id" uuid NOT NULL,
	"language" text NOT NULL,
	"facts" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"next_try_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	CONSTRAINT "mails_kind" CHECK (kind in ('invitation', 'token-returned')),
	CONSTRAINT "mails_over" CHECK ((next_try_at is null) = (sent_at is not null or failed_at is not null))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"amount" integer NOT NULL,
	"tokens" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "refunds_sound" CHECK (amount >= 0 and tokens >= 0)
);
--> statement-breakpoint
CREATE TABLE "token_balances" (
	"coach_id" uuid PRIMARY KEY NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"used" integer DEFAULT 0 NOT NULL,
	"owed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "token_balances_sound" CHECK (used >= 0 and used <= total and owed >= 0 and (owed = 0 or used = total))
);
--> statement-breakpoint
CREATE TABLE "token_ledger" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"coach_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" integer NOT NULL,
	"order_id" uuid,
	"instance_id" uuid,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "token_ledger_kind" CHECK (kind in ('bought', 'granted', 'spent', 'returned', 'refunded')),
	CONSTRAINT "token_ledger_sign" CHECK (amount <> 0 and (amount > 0) = (kind in ('bought', 'granted', 'spent'))),
	CONSTRAINT "token_ledger_one_each" CHECK (kind not in ('spent', 'returned') or (abs(amount) = 1 and instance_id is not null))
);
--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "invited_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "resends" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "reclaimed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_coach_id_users_id_fk" FOREIGN KEY ("coach_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_balances" ADD CONSTRAINT "token_balances_coach_id_users_id_fk" FOREIGN KEY ("coach_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_ledger" ADD CONSTRAINT "token_ledger_coach_id_users_id_fk" FOREIGN KEY ("coach_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_ledger" ADD CONSTRAINT "token_ledger_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_ledger" ADD CONSTRAINT "token_ledger_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("next_try_at");--> statement-breakpoint
CREATE INDEX "mails_instance" ON "mails" USING btree ("instance_id");--> statement-breakpoint
CREATE INDEX "mails_to" ON "mails" USING btree ("to_normal");--> statement-breakpoint
CREATE INDEX "token_ledger_coach" ON "token_ledger" USING btree ("coach_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "token_ledger_one_purchase" ON "token_ledger" USING btree ("order_id") WHERE kind = 'bought';--> statement-breakpoint
CREATE UNIQUE INDEX "token_ledger_one_spending" ON "token_ledger" USING btree ("instance_id") WHERE kind = 'spent';--> statement-breakpoint
CREATE UNIQUE INDEX "token_ledger_one_return" ON "token_ledger" USING btree ("instance_id") WHERE kind = 'returned';--> statement-breakpoint
CREATE UNIQUE INDEX "instances_one_pending" ON "instances" USING btree ("coach_id","assessment_id","email_normal") WHERE coach_id is not null and status in ('ALLOCATED', 'IN_PROGRESS');--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_reclaimed" CHECK ((status = 'RECLAIMED') = (reclaimed_at is not null));