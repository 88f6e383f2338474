import { rm, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
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
})

describe.runIf(engines.includes('postgres'))('POST backup on a PostgreSQL', () => {
  const server = givenServer({ database: 'postgres' })

  test('is refused, because pg_dump copies it', async () => {
    const { status, body } = await ask(server, 'POST', 'backup', { bearer: server.deps.keys.operatorKey })
    expect([status, body.code]).toEqual([409, 'DATABASE_ELSEWHERE'])
  })
})
