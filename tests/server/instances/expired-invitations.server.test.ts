import { beforeEach, describe, expect, test } from 'vitest'
import { expireInvitations } from '#server/instances/expired-invitations-store.ts'
import { deleteOldMails } from '#server/mailer/store.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { closeAccount, movableClock, signIn } from '#tests/support/person.ts'
import { givenCoach, rowOf } from './given.ts'
import { allocate, allocatedTo, reclaim, resend, tokensOf } from './support.ts'

const DAY_SECONDS = 86_400

/** How long the address of an invited person who never signed in is stored. docs/decisions/0026 */
describe('addresses of people who never signed in', () => {
  const clock = movableClock()
  // declared before givenCoach, because the coach's access token would not last two days
  beforeEach(() => clock.forward(2 * DAY_SECONDS))
  const given = givenCoach(2, clock)
  let email: string
  let id: string

  beforeEach(async () => {
    email = given.address('invited')
    id = (await allocate(given.server, given.coach, email)).body.instanceId
  })

  const row = (instanceId = id) => rowOf(given.server, instanceId)
  const sweep = () => expireInvitations(given.server.deps.db, clock.now())
  const afterDays = async (days: number) => {
    clock.forward(days * DAY_SECONDS)
    await sweep()
  }

  test('are erased 30 days after the reclaim, not earlier', async () => {
    await reclaim(given.server, given.coach, id)
    await afterDays(29)
    expect(await row()).toMatchObject({ email, email_normal: email })
    await afterDays(2)
    expect(await row()).toMatchObject({ email: '', email_normal: '', status: 'RECLAIMED' })
  })

  test('are not erased if there is an account', async () => {
    await signIn(given.server, email)
    await reclaim(given.server, given.coach, id)
    await afterDays(31)
    expect(await row()).toMatchObject({ email })
  })

  test('400 days after the last invitation the instance is reclaimed and its token returned', async () => {
    clock.forward(100 * DAY_SECONDS)
    given.coach = await signIn(given.server, given.coach.email)
    expect((await resend(given.server, given.coach, email)).status).toBe(200)
    await afterDays(399)
    expect(await row()).toMatchObject({ email, status: 'ALLOCATED' })
    await afterDays(2)
    given.coach = await signIn(given.server, given.coach.email)
    expect(await row()).toMatchObject({ status: 'RECLAIMED' })
    expect(await tokensOf(given.server, given.coach)).toMatchObject({ used: 0, available: 2 })
    expect(await allocatedTo(given.server, given.coach)).toEqual([])
    await afterDays(31)
    expect(await row()).toMatchObject({ email: '', email_normal: '' })
  })

  test('one that cannot be reclaimed keeps no others from being reclaimed', async () => {
    const other = (await allocate(given.server, given.coach, given.address('other'))).body.instanceId
    const { db } = given.server.deps
    await db.execute(`create function complain() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await db.execute(`create trigger complain before update on instances for each row
      when (new.status = 'RECLAIMED' and new.id = '${id}') execute function complain()`)
    await expect(afterDays(401)).rejects.toThrow()
    expect([await row(), await row(other)]).toMatchObject([{ status: 'ALLOCATED' }, { status: 'RECLAIMED' }])
    await db.execute('drop trigger complain on instances')
    await sweep()
    expect(await row()).toMatchObject({ status: 'RECLAIMED' })
  })

  test('an instance stays allocated if its player has signed in', async () => {
    await signIn(given.server, email)
    await afterDays(500)
    expect(await row()).toMatchObject({ email, status: 'ALLOCATED' })
  })

  test('erasing a coach erases these addresses, but leaves the assessments of players with an account', async () => {
    const player = await signIn(given.server, given.address('came'))
    const held = (await allocate(given.server, given.coach, player.email)).body.instanceId
    await given.server.deps.jobs.settled('mails')
    expect((await closeAccount(given.server, given.coach)).status).toBe(200)
    clock.forward(30 * DAY_SECONDS)
    await eraseClosedAccounts(given.server.deps)
    await sweep()
    expect(await row()).toMatchObject({ email: '', status: 'RECLAIMED' })
    expect(await row(held)).toMatchObject({ email: player.email, status: 'ALLOCATED', user_id: player.userId })
    clock.forward(1)
    await deleteOldMails(given.server.deps.db, clock.now())
    // the invitation of the player with an account may still have to be told of
    const invited = (await given.server.rows('mails')).map(({ to }) => to)
    expect(invited).toContain(player.email)
    expect(invited).not.toContain(email)
  })
})
