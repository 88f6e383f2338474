import { beforeEach, describe, expect, test } from 'vitest'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { ask, closeAccount, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { engines } from '#tests/support/databases.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, coachWith, openBrief, reclaim, tokensOf } from '../instances/support.ts'
import type { TokenList } from '../tokens/support.ts'

const DAY_SECONDS = 86_400

/** Where others had written the address or the name of somebody who is erased. PRIVACY-5, PRIVACY-12 */
describe.each(engines)('what others wrote about a person is erased with them (%s)', (database) => {
  const clock = movableClock()
  const server = givenServer({ database, clock, env: { MAILS_PER_HOUR: '1000', MAILS_PER_DAY: '1000' } })
  let count = 0
  let name: string
  let coach: Person

  beforeEach(async () => {
    count += 1
    name = `erased${count}`
    coach = await coachWith(server, `coach${count}@club.test`, 3)
  })

  const eraseNow = ({ userId, email }: { userId: string; email: string }) =>
    ask(server, 'POST', `user/${userId}/erase`, { bearer: server.deps.keys.operatorKey, body: { email } })
  /** The tables that still have this text. */
  async function tablesWith(text: string): Promise<string[]> {
    const { rows } = await server.deps.db.execute<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const found = []
    for (const { name } of rows) if (JSON.stringify(await server.rows(name)).includes(text)) found.push(name)
    return found
  }

  test('what was allocated to the address while the account was closed, after 30 days and on request', async () => {
    const player = await signIn(server, `${name}@club.test`)
    await closeAccount(server, player)
    const given = await allocate(server, coach, player.email, { playerName: `Noa ${name}` })
    await server.deps.jobs.settled('mails')
    clock.forward(30 * DAY_SECONDS)
    await eraseClosedAccounts(server.deps)
    expect(await tablesWith(name)).toEqual([])
    coach = await signIn(server, coach.email)
    const [row] = await allocatedTo(server, coach)
    expect(row).toMatchObject({ userEmail: '', userName: 'Deleted player', status: 'ALLOCATED' })
    expect(row?.instanceId).not.toBe(given.body.instanceId)
    const { body } = await ask<TokenList>(server, 'GET', 'tokens', { bearer: coach.accessToken, language: 'fr' })
    expect(body.tokens[0]).toMatchObject({ assignedTo: null, assignedName: 'Compte supprimé', status: 'PENDING' })
    // the coach may have the token back, as of any erased player
    expect((await reclaim(server, coach, row?.instanceId ?? '')).status).toBe(200)
    expect(await tokensOf(server, coach)).toEqual({ total: 3, used: 0, available: 3 })
  })

  test('what was allocated to an address before it became a coach’s, and the mail about it', async () => {
    await allocate(server, coach, `${name}@club.test`, { playerName: `Noa ${name}` })
    const other = await signIn(server, `${name}@club.test`, 'coach', coachData)
    await server.deps.jobs.settled('mails')
    expect(await tokensOf(server, coach)).toEqual({ total: 3, used: 0, available: 3 })
    expect((await eraseNow(other)).status).toBe(204)
    expect(await tablesWith(name)).toEqual([])
  })

  test('the name of a coach, in mails to players, and the names that only that coach could read', async () => {
    const named = await coachWith(server, `head@${name}.test`, 2, { ...coachData, firstName: 'Ines', lastName: `of ${name}` })
    const player = await signIn(server, `player${count}@club.test`)
    const { instanceId } = (await allocate(server, named, player.email, { playerName: `Noa ${name}` })).body
    await allocate(server, named, `stranger${count}@club.test`, { playerName: `Mia ${name}` })
    await openBrief(server, player, instanceId)
    await server.deps.jobs.settled('mails')
    expect((await eraseNow(named)).status).toBe(204)
    expect(await tablesWith(name)).toEqual([])
  })
})
