import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#server/db/open.ts'
import { prepared } from '#server/db/prepared.ts'
import { blockedAddresses } from '#server/db/schema/blocks.ts'
import { emptyDatabase, engines } from '#tests/support/databases.ts'

const blocked = prepared('blocked_in_a_test', (db) =>
  db
    .select({ hash: blockedAddresses.addressHash })
    .from(blockedAddresses)
    .where(eq(blockedAddresses.addressHash, sql.placeholder('hash'))),
)

describe.each(engines)('a prepared statement (%s)', (engine) => {
  test('sees its transaction’s own writes, and after a rollback none of them', async () => {
    const { location, drop } = await emptyDatabase(engine)
    const { db, close } = await openDatabase(location, () => {})
    try {
      const seen: unknown[] = []
      const rolledBack = db.transaction(async (tx) => {
        await tx.insert(blockedAddresses).values({ addressHash: 'one', at: new Date() })
        seen.push(await blocked(tx).execute({ hash: 'one' }))
        await tx.transaction(async (nested) => seen.push(await blocked(nested).execute({ hash: 'one' })))
        tx.rollback()
      })
      await expect(rolledBack).rejects.toThrow()
      expect([...seen, await blocked(db).execute({ hash: 'one' })]).toEqual([[{ hash: 'one' }], [{ hash: 'one' }], []])
    } finally {
      await close()
      await drop()
    }
  })
})
