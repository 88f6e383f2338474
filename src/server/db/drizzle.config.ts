/** For `npm run migration`, which writes the next migration from schema/. */
export default { dialect: 'postgresql', schema: './src/server/db/schema/*.ts', out: './src/server/db/migrations' }
