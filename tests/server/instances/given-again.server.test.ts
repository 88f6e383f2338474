import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Instance, InstanceSummary } from '#contract/instances.ts'
import { ask, closeAccount, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenCoach } from './given.ts'
import { allocate, allocatedTo, coachWith, complete, everyAnswer, openBrief, reclaim, save } from './support.ts'

/** Allocating again after a reclaim: the restored answers, the mail to the player and the name that the coach typed. docs/decisions/0039 */
describe('allocating again', () => {
  const clock = movableClock()
  const given = givenCoach(3, clock)
  let player: Person
  let id: string

  beforeEach(async () => {
    player = await signIn(given.server, given.address('player'))
    id = (await allocate(given.server, given.coach, player.email, { playerName: 'Ana from the club' })).body.instanceId
    await given.server.deps.jobs.settled('mails')
  })

  const read = async (instanceId: string, as = player) =>
    (await ask<Instance>(given.server, 'GET', `assessment/assessment-instance/${instanceId}`, { bearer: as.accessToken })).body
  const again = async (as = given.coach, email = player.email) => (await allocate(given.server, as, email)).body.instanceId
  const takenBackMails = (email = player.email) =>
    given.server.mails(email).filter(({ subject }) => subject.includes('taken an assessment back'))

  describe('the answers', () => {
    test('are restored for the same player and coach, and can be completed', async () => {
      await openBrief(given.server, player, id)
      await save(given.server, player, id)
      const before = await read(id)
      await reclaim(given.server, given.coach, id)
      const next = await again()
      const after = await read(next)
      expect(after).toMatchObject({ status: 'ALLOCATED', responses: before.responses, answeredCount: before.itemCount })
      // the coach sees none of it before the brief is opened again
      expect((await allocatedTo(given.server, given.coach))[0]).toMatchObject({ status: 'ALLOCATED', answeredCount: 0, userId: null })
      await openBrief(given.server, player, next)
      expect((await save(given.server, player, next, everyAnswer.slice(0, 4))).status).toBe(200)
      expect((await complete(given.server, player, next)).status).toBe(200)
    })

    test('are restored after a second reclaim, too', async () => {
      await save(given.server, player, id, everyAnswer.slice(0, 8))
      await reclaim(given.server, given.coach, id)
      await reclaim(given.server, given.coach, await again())
      expect((await read(await again())).answeredCount).toBe(8)
    })

    test('are restored once: an allocation after their completion starts from zero', async () => {
      await save(given.server, player, id)
      await reclaim(given.server, given.coach, id)
      clock.forward(1)
      await complete(given.server, player, await again())
      expect(await read(await again())).toMatchObject({ status: 'ALLOCATED', answeredCount: 0, responses: [] })
    })

    test('are not restored if the player has since completed another content version', async () => {
      await save(given.server, player, id)
      await reclaim(given.server, given.coach, id)
      clock.forward(1)
      const other = await again()
      await complete(given.server, player, other)
      await given.server.deps.db.execute(sql.raw(`update instances set content_version = 'other' where id = '${other}'`))
      expect(await read(await again())).toMatchObject({ status: 'ALLOCATED', answeredCount: 0, responses: [] })
    })

    test('are restored when a closed account is reopened, for what was allocated meanwhile', async () => {
      await save(given.server, player, id, everyAnswer.slice(0, 8))
      await reclaim(given.server, given.coach, id)
      await closeAccount(given.server, player)
      const takenBackToo = await again()
      await reclaim(given.server, given.coach, takenBackToo)
      const next = await again()
      const open = { bearer: given.server.deps.keys.operatorKey, body: { email: player.email, userTypeCode: 'player' } }
      expect((await ask(given.server, 'POST', 'user', open)).status).toBe(201)
      const back = await signIn(given.server, player.email)
      expect(await read(next, back)).toMatchObject({ status: 'ALLOCATED', answeredCount: 8 })
      expect((await allocatedTo(given.server, given.coach))[0]).toMatchObject({ status: 'ALLOCATED', answeredCount: 0, userId: null })
    })

    test('are not restored for another coach, nor another player', async () => {
      await save(given.server, player, id, everyAnswer.slice(0, 8))
      await reclaim(given.server, given.coach, id)
      const stranger = await coachWith(given.server, given.address('stranger'), 1)
      expect(await read(await again(stranger))).toMatchObject({ status: 'ALLOCATED', answeredCount: 0 })
      const other = await signIn(given.server, given.address('other'))
      expect(await read(await again(given.coach, other.email), other)).toMatchObject({ status: 'ALLOCATED', answeredCount: 0 })
    })

    test('are not restored if the questions have changed', async () => {
      await save(given.server, player, id, everyAnswer.slice(0, 8))
      await reclaim(given.server, given.coach, id)
      await given.server.deps.db.execute(sql.raw(`update instances set content_version = 'older' where id = '${id}'`))
      expect(await read(await again())).toMatchObject({ status: 'ALLOCATED', answeredCount: 0 })
    })
  })

  describe('the mail to the player about a reclaim', () => {
    test('is sent once if the invitation was sent', async () => {
      await reclaim(given.server, given.coach, id)
      await given.server.deps.jobs.settled('mails')
      expect(takenBackMails()).toHaveLength(1)
      expect(takenBackMails()[0]?.text).toContain('The link in the earlier email no longer opens it.')
    })

    test('is sent at most once a week for one coach, and three times for all coaches', async () => {
      for (let at = 0; at < 5; at += 1) {
        const other = await coachWith(given.server, given.address(`more${at}.`), 1)
        for (const as of [given.coach, other]) {
          const instanceId = as === given.coach && at === 0 ? id : (await allocate(given.server, as, player.email)).body.instanceId
          await given.server.deps.jobs.settled('mails')
          await reclaim(given.server, as, instanceId)
          await given.server.deps.jobs.settled('mails')
        }
      }
      expect(takenBackMails()).toHaveLength(3)
    })

    test('is not sent if the invitation was never sent', async () => {
      const email = given.address('soon')
      const { deps } = given.server
      const instanceId = (await allocate(given.server, given.coach, email)).body.instanceId
      await deps.jobs.settled('mails')
      await deps.db.execute(sql.raw(`update mails set sent_at = null, failed_at = now() where instance_id = '${instanceId}'`))
      await deps.db.execute(sql.raw(`update instances set invitation = 'refused' where id = '${instanceId}'`))
      await reclaim(given.server, given.coach, instanceId)
      await deps.jobs.settled('mails')
      expect(takenBackMails(email)).toHaveLength(0)
    })

    test('is not sent if the player has opted out of mails', async () => {
      const [, token = ''] =
        /stop\?token=(\w+)/.exec(given.server.mails(player.email).find(({ text }) => text.includes(id))?.text ?? '') ?? []
      expect((await ask(given.server, 'POST', `invitations/stop?token=${token}`)).status).toBe(200)
      await reclaim(given.server, given.coach, id)
      await given.server.deps.jobs.settled('mails')
      expect(takenBackMails()).toHaveLength(0)
    })
  })

  describe('the name that the coach typed', () => {
    const named = async () => (await allocatedTo(given.server, given.coach)).map(({ userName, userLastname }) => [userName, userLastname])
    const inTokens = async () =>
      (await ask<{ tokens: { assignedName: string | null }[] }>(given.server, 'GET', 'tokens', { bearer: given.coach.accessToken })).body
        .tokens[0]?.assignedName

    test('is shown until the player opens the brief, and then the player’s own name', async () => {
      expect(await named()).toEqual([['Ana from the club', null]])
      expect(await inTokens()).toBe('Ana from the club')
      await ask(given.server, 'PATCH', `user/${player.userId}`, {
        bearer: player.accessToken,
        body: { firstName: 'Ana', lastName: 'Silva' },
      })
      expect(await named()).toEqual([['Ana from the club', null]])
      await openBrief(given.server, player, id)
      expect(await named()).toEqual([['Ana', 'Silva']])
      expect(await inTokens()).toBe('Ana Silva')
    })

    test('is still shown in both lists if the player has opened the brief but has no name', async () => {
      await openBrief(given.server, player, id)
      expect(await named()).toEqual([['Ana from the club', null]])
      expect(await inTokens()).toBe('Ana from the club')
    })

    test('is shown to that coach only, never to the player', async () => {
      const own = await ask<{ data: InstanceSummary[] }>(given.server, 'GET', 'assessment/assessment-instance', {
        bearer: player.accessToken,
      })
      expect(JSON.stringify([own.body, await read(id)])).not.toContain('from the club')
      expect(
        given.server
          .mails(player.email)
          .map(({ text }) => text)
          .join(),
      ).not.toContain('from the club')
    })

    test.each(['', ' ', 'a\u0000b', 'x\u202Ey', 'n'.repeat(101)])('is refused if invalid, like any other name: %j', async (playerName) => {
      expect((await allocate(given.server, given.coach, given.address('n'), { playerName })).body.code).toMatch(/^INVALID_(NAME|INPUT)$/)
    })
  })
})
