-- log_month gets its place without a copy of the table; attaching it reads the log once, while saves wait
ALTER TABLE "instances" ADD COLUMN "last_operation" uuid,
	ADD COLUMN "saved_at" timestamp with time zone,
	ADD COLUMN "log_month" date DEFAULT '2000-01-01' NOT NULL;
--> statement-breakpoint
ALTER TABLE "instances" ALTER COLUMN "log_month" SET DEFAULT (date_trunc('month', now() AT TIME ZONE 'UTC'))::date;
--> statement-breakpoint
ALTER TABLE "answer_log" RENAME TO "answer_log_before";
--> statement-breakpoint
ALTER TABLE "answer_log_before" RENAME CONSTRAINT "answer_log_pk" TO "answer_log_before_pk";
--> statement-breakpoint
ALTER TABLE "answer_log_before" ADD COLUMN "log_month" date DEFAULT '2000-01-01' NOT NULL;
--> statement-breakpoint
CREATE TABLE "answer_log" (LIKE "answer_log_before") PARTITION BY LIST ("log_month");
--> statement-breakpoint
ALTER TABLE "answer_log_before" DROP CONSTRAINT "answer_log_instance_id_instances_id_fk";
--> statement-breakpoint
ALTER TABLE "answer_log" ATTACH PARTITION "answer_log_before" FOR VALUES IN ('2000-01-01');
--> statement-breakpoint
CREATE TABLE "answer_log_other" PARTITION OF "answer_log" (CONSTRAINT "answer_log_other_pk" PRIMARY KEY ("instance_id", "operation_id")) DEFAULT;
