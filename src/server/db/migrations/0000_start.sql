CREATE TABLE "answer_groups" (
	"instance_id" uuid NOT NULL,
	"question_id" text NOT NULL,
	"value" jsonb NOT NULL,
	"revision" integer NOT NULL,
	"device" uuid,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "answer_groups_pk" PRIMARY KEY("instance_id","question_id")
);
--> statement-breakpoint
CREATE TABLE "answer_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"instance_id" uuid NOT NULL,
	"question_id" text NOT NULL,
	"value" jsonb NOT NULL,
	"device" uuid,
	"operation_id" uuid,
	"base" integer NOT NULL,
	"accepted" boolean NOT NULL,
	"revision" integer NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assessments" (
	"id" text PRIMARY KEY NOT NULL,
	"prices" jsonb NOT NULL,
	"sample_report_filename" text NOT NULL,
	"video_urls" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"content_version" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"id" uuid PRIMARY KEY NOT NULL,
	"assessment_id" text NOT NULL,
	"content_version" text NOT NULL,
	"user_id" uuid,
	"email" text NOT NULL,
	"email_normal" text NOT NULL,
	"coach_id" uuid,
	"status" text NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"allocated_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"user_team" text,
	"user_position_name" text,
	"user_player_type" text,
	"results" jsonb,
	"scoring_version" text,
	"order_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "instances_order_unique" UNIQUE("order_id"),
	CONSTRAINT "instances_status" CHECK (status in ('OWNED', 'ALLOCATED', 'IN_PROGRESS', 'COMPLETED', 'RECLAIMED')),
	CONSTRAINT "instances_completed" CHECK ((status = 'COMPLETED') = (completed_at is not null and results is not null))
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"instance_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"content_hash" text NOT NULL,
	"reply" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "operations_pk" PRIMARY KEY("instance_id","id")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"assessment_id" text,
	"price_id" text NOT NULL,
	"quantity" integer NOT NULL,
	"unit_amount" integer NOT NULL,
	"currency" text NOT NULL,
	"checkout_session_id" text,
	"status" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"fulfilled_at" timestamp with time zone,
	CONSTRAINT "orders_checkout_session_unique" UNIQUE("checkout_session_id"),
	CONSTRAINT "orders_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "orders_kind" CHECK (kind in ('assessment', 'tokens')),
	CONSTRAINT "orders_status" CHECK (status in ('open', 'paid', 'fulfilled', 'expired', 'failed')),
	CONSTRAINT "orders_quantity" CHECK (quantity > 0),
	CONSTRAINT "orders_fulfilled" CHECK ((status = 'fulfilled') = (fulfilled_at is not null))
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL,
	"absolute_end" timestamp with time zone NOT NULL,
	"refresh_counter" integer DEFAULT 0 NOT NULL,
	"rotated_at" timestamp with time zone NOT NULL,
	"salt" text NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_normal" text NOT NULL,
	"code_hmac" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"user_type" text NOT NULL,
	"first_name" text,
	"last_name" text,
	"city" text,
	"country" text,
	"language" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_counts" (
	"email_normal" text PRIMARY KEY NOT NULL,
	"mails" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"wrong_day" text DEFAULT '' NOT NULL,
	"wrong" integer DEFAULT 0 NOT NULL,
	"wait_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_normal" text NOT NULL,
	"user_type" text NOT NULL,
	"first_name" text,
	"last_name" text,
	"city_id" text,
	"country_id" text,
	"gender" text,
	"birth_date" text,
	"preferred_position" jsonb,
	"sport" jsonb,
	"teams" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"has_profile_picture" boolean DEFAULT false NOT NULL,
	"language" text DEFAULT 'en' NOT NULL,
	"deactivated_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "users_email_normal_unique" UNIQUE("email_normal"),
	CONSTRAINT "users_user_type" CHECK (user_type in ('player', 'coach')),
	CONSTRAINT "users_gender" CHECK (gender in ('male', 'female'))
);
--> statement-breakpoint
ALTER TABLE "answer_groups" ADD CONSTRAINT "answer_groups_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "answer_log" ADD CONSTRAINT "answer_log_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_assessment_id_assessments_id_fk" FOREIGN KEY ("assessment_id") REFERENCES "public"."assessments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_coach_id_users_id_fk" FOREIGN KEY ("coach_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operations" ADD CONSTRAINT "operations_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_assessment_id_assessments_id_fk" FOREIGN KEY ("assessment_id") REFERENCES "public"."assessments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "answer_log_instance" ON "answer_log" USING btree ("instance_id","id");--> statement-breakpoint
CREATE INDEX "instances_user" ON "instances" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "instances_coach" ON "instances" USING btree ("coach_id","allocated_at");--> statement-breakpoint
CREATE INDEX "instances_email" ON "instances" USING btree ("email_normal");--> statement-breakpoint
CREATE INDEX "orders_user" ON "orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_email" ON "sign_in_challenges" USING btree ("email_normal","sent_at");