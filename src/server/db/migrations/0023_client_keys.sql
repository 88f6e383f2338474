-- still works with builds from: 0022
ALTER TABLE "sign_in_challenges" ADD COLUMN "client_key" text;