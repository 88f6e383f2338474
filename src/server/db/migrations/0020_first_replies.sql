-- still works with builds from: 0017
CREATE TABLE "first_replies" (
	"id" text PRIMARY KEY NOT NULL,
	"sealed" text,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "first_replies_created" ON "first_replies" USING btree ("created_at");