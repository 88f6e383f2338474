import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../src/server/db/migrations/', import.meta.url))

test('an order from before discounts gets quantity times price as its total', async () => {
  const earlier = await mkdtemp(join(tmpdir(), 'touchline-earlier-'))
  await cp(MIGRATIONS, earlier, { recursive: true })
  for (const name of await readdir(earlier)) if (name >= '0006' && name.endsWith('.sql')) await rm(join(earlier, name))
  const { db, close } = await openDatabase({ memory: true }, () => {})
  await migrate(db, pathToFileURL(`${earlier}/`))
  const user = crypto.randomUUID()
  await db.execute(
    `insert into users (id, email, email_normal, user_type, created_at) values ('${user}', 'a@b.test', 'a@b.test', 'player', now())`,
  )
  await db.execute(`insert into orders (id, user_id, kind, price_id, quantity, unit_amount, currency, status, idempotency_key, created_at)
    values ('${crypto.randomUUID()}', '${user}', 'assessment', 'price_a', 2, 4900, 'USD', 'open', 'key', now())`)
  await migrate(db)
  const { rows } = await db.execute<{ amount_total: number }>('select amount_total from orders')
  expect(rows).toEqual([{ amount_total: 9800 }])
  await close()
  await rm(earlier, { recursive: true, force: true })
})
