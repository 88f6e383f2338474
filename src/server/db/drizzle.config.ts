/** `npx drizzle-kit generate --config src/server/db/drizzle.config.ts` writes the next migration from schema/. */
export default { dialect: 'postgresql', schema: './src/server/db/schema/*.ts', out: './src/server/db/migrations' }
