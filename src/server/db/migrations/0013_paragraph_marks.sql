-- still works with builds from: 0012
CREATE TABLE "paragraph_marks" (
	"instance_id" uuid NOT NULL,
	"paragraph" text NOT NULL,
	"mark" text,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "paragraph_marks_pk" PRIMARY KEY("instance_id","paragraph"),
	CONSTRAINT "paragraph_marks_mark" CHECK (mark in ('like', 'partly', 'not'))
);
--> statement-breakpoint
ALTER TABLE "paragraph_marks" ADD CONSTRAINT "paragraph_marks_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE cascade;
