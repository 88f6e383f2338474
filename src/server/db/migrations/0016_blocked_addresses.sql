-- still works with builds from: 0015
CREATE TABLE "blocked_addresses" (
	"address_hash" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
