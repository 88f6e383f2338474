CREATE TABLE "picture_uploads" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"content_type" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"file" text NOT NULL,
	"name" text NOT NULL,
	"document_format" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"retired_at" timestamp with time zone,
	CONSTRAINT "pictures_file_unique" UNIQUE("file"),
	CONSTRAINT "pictures_size" CHECK (size_bytes > 0)
);
--> statement-breakpoint
ALTER TABLE "picture_uploads" ADD CONSTRAINT "picture_uploads_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pictures" ADD CONSTRAINT "pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "picture_uploads_user" ON "picture_uploads" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "picture_uploads_created" ON "picture_uploads" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "pictures_one_per_user" ON "pictures" USING btree ("user_id") WHERE retired_at is null;--> statement-breakpoint
CREATE INDEX "pictures_retired" ON "pictures" USING btree ("retired_at");