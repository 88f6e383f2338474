-- still works with builds from: 0017
ALTER TABLE "users" ADD COLUMN "written" text;