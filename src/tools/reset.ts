import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readEnv } from '#server/env.ts'
import { holdLock } from '#server/db/lock.ts'

/** `npm run reset`: deletes the embedded data, so that the next start seeds it again. Never touches a DATABASE_URL. */
const { dataDir, databaseUrl, mode } = readEnv(process.env)
if (databaseUrl !== undefined || mode === 'production') {
  console.error('Only the embedded data of a demo can be reset. Unset DATABASE_URL and TOUCHLINE_MODE.')
  process.exit(1)
}
if (existsSync(dataDir)) {
  // throws while a server is using the folder
  const release = holdLock(join(dataDir, 'lock.sqlite'))
  // the heads belong to the audit log that is deleted
  for (const part of ['postgres', 'mailbox', 'card-sandbox', 'media/audit']) await rm(join(dataDir, part), { recursive: true, force: true })
  release()
}
console.log(`The database, the mails and the payments in ${dataDir} are deleted; the next start creates the demo accounts.`)
