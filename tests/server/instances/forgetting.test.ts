import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetInvited } from '#server/instances/forgetting-store.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { closeAccount, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { engines, startServer, type TestServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, coachWith, reclaim, resend, tokensOf } from './support.ts'

const DAY = 86_400

/** Addresses of people who were invited and never came. Decision 0026 */
describe.each(engines)('who never came is forgotten (%s)', (database) => {
  const clock = movableClock()
  let server: TestServer
  let coach: Person
  let email: string
  let id: string
  let count = 0

  beforeAll(async () => {
    server = await startServer({ database, clock })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    count += 1
    clock.forward(2 * DAY)
    email = `invited${count}@club.test`
    coach = await coachWith(server, `coach${count}@club.test`, 2)
    id = (await allocate(server, coach, email)).body.instanceId
  })

  const row = async (instanceId = id) => (await server.rows('instances')).find((one) => one['id'] === instanceId)
  const sweep = () => forgetInvited(server.deps.db, clock.now())
  const afterDays = async (days: number) => {
    clock.forward(days * DAY)
    await sweep()
  }

  test('30 days after it was taken back, and not a day sooner', async () => {
    await reclaim(server, coach, id)
    await afterDays(29)
    expect(await row()).toMatchObject({ email, email_normal: email })
    await afterDays(2)
    expect(await row()).toMatchObject({ email: '', email_normal: '', status: 'RECLAIMED' })
  })

  test('what was taken back from somebody with an account stays theirs', async () => {
    await signIn(server, email)
    await reclaim(server, coach, id)
    await afterDays(31)
    expect(await row()).toMatchObject({ email })
  })

  test('what waited for 400 days since the last invitation goes back, with its token', async () => {
    clock.forward(100 * DAY)
    coach = await signIn(server, coach.email)
    expect((await resend(server, coach, email)).status).toBe(200)
    await afterDays(399)
    expect(await row()).toMatchObject({ email, status: 'ALLOCATED' })
    await afterDays(2)
    coach = await signIn(server, coach.email)
    expect(await row()).toMatchObject({ status: 'RECLAIMED' })
    expect(await tokensOf(server, coach)).toMatchObject({ used: 0, available: 2 })
    expect(await allocatedTo(server, coach)).toEqual([])
    await afterDays(31)
    expect(await row()).toMatchObject({ email: '', email_normal: '' })
  })

  test('who came in time keeps what was given', async () => {
    await signIn(server, email)
    await afterDays(500)
    expect(await row()).toMatchObject({ email, status: 'ALLOCATED' })
  })

  test('a coach who is erased takes the addresses along, and no player’s assessment', async () => {
    const player = await signIn(server, `came${count}@club.test`)
    const held = (await allocate(server, coach, player.email)).body.instanceId
    expect((await closeAccount(server, coach)).status).toBe(200)
    clock.forward(30 * DAY)
    await eraseClosedAccounts(server.deps)
    await sweep()
    expect(await row()).toMatchObject({ email: '', status: 'RECLAIMED' })
    expect(await row(held)).toMatchObject({ email: player.email, status: 'ALLOCATED', user_id: player.userId })
  })
})
