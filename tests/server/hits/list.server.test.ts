import { describe, expect, test } from 'vitest'
import type { hitsForOperator } from '#contract/hits.operator.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { deleteExpiredLimits } from '#server/limits/store.ts'
import { engines } from '#tests/support/databases.ts'
import { ask, movableClock, signIn } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

/** GET limit. API-50 */

const hitsOf = async (server: TestServer) =>
  (await ask<ReplyOf<typeof hitsForOperator.list>>(server, 'GET', 'limit', { bearer: server.deps.keys.operatorKey })).body.data

describe.each(engines)('rate limits that somebody exceeds (%s)', (database) => {
  test('are listed with the number of callers, and identify nobody', async () => {
    const env = { STARTS_PER_HOUR_PER_ADDRESS: '3', READS_PER_TEN_MINUTES: '30', TRUST_PROXY: '127.0.0.1' }
    const server = await startServer({ database, env })
    const from = (address: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          ask(server, 'POST', 'user/auth/initiate', {
            body: { email: `a${n}@club.test`, userTypeCode: 'player' },
            headers: { 'x-forwarded-for': address },
          }),
        ),
      )
    const player = await signIn(server, 'sam@club.test')
    await from('203.0.113.1', 3)
    expect(await hitsOf(server)).toEqual([])

    await from('203.0.113.2', 4)
    await from('203.0.113.3', 9)
    for (let n = 0; n < 32; n += 1) await ask(server, 'GET', `user/${player.userId}`, { bearer: player.accessToken })
    const found = await hitsOf(server)
    expect(found).toEqual([
      { limit: 'startsPerAddress', callers: 2, maximum: 3, windowSeconds: 3600 },
      { limit: 'reads', callers: 1, maximum: 30, windowSeconds: 600 },
    ])
    await deleteExpiredLimits(server.deps.db, new Date(Date.now() + 2 * 3_600_000))
    expect(await hitsOf(server)).toEqual([])
    await server.close()
  })

  test('are listed until their window ends, which is before their rows expire', async () => {
    const clock = movableClock(new Date())
    const server = await startServer({ database, clock })
    const take = () => server.deps.limits.take('filesPerAddress', '203.0.113.9')
    let wait = await take()
    for (let n = 0; n < 120; n += 1) wait = await take()
    expect(await hitsOf(server)).toEqual([{ limit: 'filesPerAddress', callers: 1, maximum: 120, windowSeconds: 3600 }])
    clock.forward((wait?.retryAfter ?? 0) + 0.001)
    expect(await take()).toBeUndefined()
    expect(await hitsOf(server)).toEqual([])
    await server.close()
  })
})
