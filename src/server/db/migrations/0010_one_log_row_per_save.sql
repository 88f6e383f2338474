CREATE TABLE "answer_log_by_save" (
	"instance_id" uuid NOT NULL,
	"operation_id" uuid NOT NULL,
	"content_hash" text,
	"device" uuid,
	"revision" integer,
	"completion_status" text,
	"groups" json NOT NULL,
	"superseded" json NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "answer_log_pk" PRIMARY KEY("instance_id","operation_id"),
	CONSTRAINT "answer_log_instance_id_instances_id_fk" FOREIGN KEY ("instance_id") REFERENCES "public"."instances"("id") ON DELETE no action ON UPDATE no action
);
--> statement-breakpoint
INSERT INTO "answer_log_by_save" ("instance_id", "operation_id", "content_hash", "device", "revision", "completion_status", "groups", "superseded", "at")
SELECT o."instance_id", o."id", o."content_hash",
	(SELECT l."device" FROM "answer_log" l WHERE l."instance_id" = o."instance_id" AND l."operation_id" = o."id" LIMIT 1),
	(o."reply" ->> 'revision')::int,
	o."reply" ->> 'completionStatus',
	coalesce((
		SELECT json_agg(json_build_object('questionId', g.one ->> 'questionId', 'value', kept."value", 'revision', (g.one ->> 'revision')::int, 'base', coalesce(own."base", 0)) ORDER BY g.place)
		FROM jsonb_array_elements(o."reply" -> 'groups') WITH ORDINALITY AS g(one, place)
		LEFT JOIN LATERAL (SELECT l."value" FROM "answer_log" l WHERE l."instance_id" = o."instance_id" AND l."question_id" = g.one ->> 'questionId' AND l."revision" = (g.one ->> 'revision')::int AND l."accepted" LIMIT 1) kept ON true
		LEFT JOIN LATERAL (SELECT l."base" FROM "answer_log" l WHERE l."instance_id" = o."instance_id" AND l."question_id" = g.one ->> 'questionId' AND l."operation_id" = o."id" LIMIT 1) own ON true
	), '[]'::json),
	coalesce((
		SELECT json_agg(json_build_object('questionId', s.one ->> 'questionId', 'value', late."value", 'base', coalesce(late."base", 0), 'current', json_build_object('revision', (s.one ->> 'revision')::int, 'value', s.one -> 'value')) ORDER BY s.place)
		FROM jsonb_array_elements(o."reply" -> 'superseded') WITH ORDINALITY AS s(one, place)
		LEFT JOIN LATERAL (SELECT l."value", l."base" FROM "answer_log" l WHERE l."instance_id" = o."instance_id" AND l."question_id" = s.one ->> 'questionId' AND l."operation_id" = o."id" AND NOT l."accepted" LIMIT 1) late ON true
	), '[]'::json),
	o."at"
FROM "operations" o;
--> statement-breakpoint
INSERT INTO "answer_log_by_save" ("instance_id", "operation_id", "device", "groups", "superseded", "at")
SELECT l."instance_id", gen_random_uuid(), l."device",
	json_agg(json_build_object('questionId', l."question_id", 'value', l."value", 'revision', l."revision", 'base', l."base") ORDER BY l."id"),
	'[]'::json, l."at"
FROM "answer_log" l
WHERE l."operation_id" IS NULL
GROUP BY l."instance_id", l."device", l."at";
--> statement-breakpoint
DROP TABLE "operations";
--> statement-breakpoint
DROP TABLE "answer_log";
--> statement-breakpoint
ALTER TABLE "answer_log_by_save" RENAME TO "answer_log";
--> statement-breakpoint
ALTER TABLE "answer_groups" DROP COLUMN "updated_at";
--> statement-breakpoint
ALTER TABLE "answer_groups" SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE "instances" SET (fillfactor = 80);
