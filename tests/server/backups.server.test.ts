import { rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { ask } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

describe('POST backup', () => {
  const server = givenServer({ database: 'embedded' })

  test('twice at once makes two copies, readable by their owner only', async () => {
    const bearer = server.deps.keys.operatorKey
    const both = await Promise.all([1, 2].map(() => ask<{ file: string; unpackedBytes: number }>(server, 'POST', 'backup', { bearer })))
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    const files = both.map(({ body }) => body.file)
    expect(new Set(files).size).toBe(2)
    for (const file of files) {
      expect(isAbsolute(file)).toBe(true)
      expect((await stat(file)).mode % 0o1000).toBe(0o600)
      await rm(file)
    }
  })

  test('removes the remains of a killed backup, but no copy that is being fetched', async () => {
    const bearer = server.deps.keys.operatorKey
    const copy = async () => (await ask<{ file: string }>(server, 'POST', 'backup', { bearer })).body.file
    const isThere = async (file: string) => (await stat(file).catch(() => undefined)) !== undefined
    const [left, fetched] = [await copy(), await copy()]
    const twoHoursAgo = new Date(Date.now() - 7_200_000)
    await utimes(left, twoHoursAgo, twoHoursAgo)
    const other = join(dirname(left), 'notes.txt')
    await writeFile(other, 'of the operator')
    await utimes(other, twoHoursAgo, twoHoursAgo)
    await copy()
    expect([await isThere(left), await isThere(fetched), await isThere(other)]).toEqual([false, true, true])
  })
})

describe.runIf(engines.includes('postgres'))('POST backup on a PostgreSQL', () => {
  const server = givenServer({ database: 'postgres' })

  test('is refused for PostgreSQL, which pg_dump copies', async () => {
    const { status, body } = await ask(server, 'POST', 'backup', { bearer: server.deps.keys.operatorKey })
    expect([status, body.code]).toEqual([409, 'DATABASE_ELSEWHERE'])
  })
})
