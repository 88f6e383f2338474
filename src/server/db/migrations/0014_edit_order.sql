-- still works with builds from: 0013
ALTER TABLE "answer_groups" ADD COLUMN "edit_order" bigint;
