import { beforeEach, describe, expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { REMINDERS_MAXIMUM } from '#contract/constants.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { ask, movableClock, signIn, type Person } from '#tests/support/person.ts'
import type { TokenList } from '../tokens/support.ts'
import { expectRefused, givenCoach, rowOf } from './given.ts'
import { allocate, allocatedTo, coachWith, complete, everyAnswer, reclaim, resend, save, tokensOf, type Said } from './support.ts'

/** Resending an invitation and reclaiming an instance. ASSIGN-17 to ASSIGN-21, INPUT-36 to INPUT-38, INPUT-40 */
describe('after allocating', () => {
  const clock = movableClock()
  const given = givenCoach(3, clock)
  let player: Person
  let other: Person
  let id: string

  beforeEach(async () => {
    other = await coachWith(given.server, given.address('other'), 1)
    player = await signIn(given.server, given.address('player'))
    id = (await allocate(given.server, given.coach, player.email)).body.instanceId
  })

  const again = (as = given.coach, email = player.email) => resend(given.server, as, email)
  const takeBack = (as = given.coach, instanceId = id, seenStatus?: string) => reclaim(given.server, as, instanceId, seenStatus)
  const begin = () => save(given.server, player, id, everyAnswer.slice(0, 4))
  const finish = async () => {
    await save(given.server, player, id)
    expect((await complete(given.server, player, id)).status).toBe(200)
  }
  const row = (instanceId = id) => rowOf(given.server, instanceId)
  // raw rows do not hold times in ISO form
  const instant = (value: unknown) => new Date(String(value)).toISOString()
  const tokens = () => tokensOf(given.server, given.coach)
  const tokenRows = async () => (await ask<TokenList>(given.server, 'GET', 'tokens', { bearer: given.coach.accessToken })).body.tokens

  describe('resend', () => {
    test('sends the invitation of a pending instance again and returns the time', async () => {
      await given.server.deps.jobs.settled('mails')
      clock.forward(600)
      const { status, body } = await again(given.coach, player.email.toUpperCase())
      expect([status, body]).toEqual([200, { dateSent: clock.now().toISOString() }])
      expect(await row()).toMatchObject({ resends: 1, status: 'ALLOCATED' })
      expect(instant((await row())?.['invited_at'])).toBe(clock.now().toISOString())
      await given.server.deps.jobs.settled('mails')
      expect(given.server.mails(player.email).filter(({ text }) => text.includes(id))).toHaveLength(2)
      expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    })

    test('with the date that the coach saw, is sent once, however often and from however many devices it is repeated', async () => {
      await given.server.deps.jobs.settled('mails')
      const shown = (await tokenRows()).find((one) => one.instanceId === id)?.dateSent
      clock.forward(600)
      const seenNow = () => resend(given.server, given.coach, player.email, undefined, shown)
      const replies = await Promise.all([seenNow(), seenNow(), seenNow()])
      expect(replies.map(({ body }) => body.code ?? 'sent').toSorted()).toEqual(['ALREADY_RESENT', 'ALREADY_RESENT', 'sent'])
      await expectRefused(given.server, seenNow, 409, 'ALREADY_RESENT')
      expect(await row()).toMatchObject({ resends: 1 })
      expect(given.server.mails(player.email).filter(({ text }) => text.includes(id))).toHaveLength(2)
      const next = (await tokenRows()).find((one) => one.instanceId === id)?.dateSent
      expect((await resend(given.server, given.coach, player.email, undefined, next)).status).toBe(200)
      for (const date of ['yesterday', '0000-01-01T00:00:00Z', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59.999999Z'])
        expect([400, 409]).toContain((await resend(given.server, given.coach, player.email, undefined, date)).status)
    })

    test('distinguishes the last reminder, repeated after a lost reply, from one beyond the limit', async () => {
      for (let i = 1; i < REMINDERS_MAXIMUM; i += 1) await again()
      clock.forward(600)
      const shown = (await tokenRows()).find((one) => one.instanceId === id)?.dateSent
      clock.forward(600)
      const last = () => resend(given.server, given.coach, player.email, undefined, shown)
      expect((await last()).status).toBe(200)
      await given.server.deps.jobs.settled('mails')
      await expectRefused(given.server, last, 409, 'ALREADY_RESENT')
      await expectRefused(given.server, () => again(), 429, 'RESEND_LIMIT')
    })

    test('is sent once even if the server’s clock stands still', async () => {
      const shown = (await tokenRows()).find((one) => one.instanceId === id)?.dateSent
      const seenNow = () => resend(given.server, given.coach, player.email, undefined, shown)
      const { body } = await seenNow()
      expect((await tokenRows()).find((one) => one.instanceId === id)?.dateSent).toBe(body.dateSent)
      await given.server.deps.jobs.settled('mails')
      await expectRefused(given.server, seenNow, 409, 'ALREADY_RESENT')
    })

    test('works even if the player has started', async () => {
      await begin()
      expect((await again()).status).toBe(200)
    })

    test('INPUT-40: the sixth reminder is refused', async () => {
      for (let i = 0; i < REMINDERS_MAXIMUM; i += 1) expect((await again()).status).toBe(200)
      await expectRefused(given.server, () => again(), 429, 'RESEND_LIMIT')
      expect(await row()).toMatchObject({ resends: REMINDERS_MAXIMUM })
    })

    test('INPUT-40: each instance has reminders of its own', async () => {
      for (let i = 0; i < REMINDERS_MAXIMUM; i += 1) await again()
      await takeBack()
      clock.forward(8 * 86_400)
      given.coach = await signIn(given.server, given.coach.email)
      await allocate(given.server, given.coach, player.email)
      expect((await again()).status).toBe(200)
    })

    test('is refused for a completed instance', async () => {
      await finish()
      await expectRefused(given.server, () => again(), 409, 'ALREADY_COMPLETED')
    })

    test('applies to the pending instance if the player also has a completed one', async () => {
      await finish()
      const second = (await allocate(given.server, given.coach, player.email)).body.instanceId
      expect((await again()).status).toBe(200)
      expect([await row(), await row(second)]).toMatchObject([{ resends: 0 }, { resends: 1 }])
    })

    test('a reclaimed instance, another coach’s, an unknown player’s and another assessment’s are not found', async () => {
      await expectRefused(given.server, () => again(other), 404, 'NOT_FOUND')
      await expectRefused(given.server, () => again(given.coach, given.address('nobody')), 404, 'NOT_FOUND')
      await expectRefused(given.server, () => resend(given.server, given.coach, player.email, 'other'), 404, 'NOT_FOUND')
      await takeBack()
      await expectRefused(given.server, () => again(), 404, 'NOT_FOUND')
    })

    test('does not find an instance that the player bought', async () => {
      await takeBack()
      await given.server.giveInstance(player)
      await expectRefused(given.server, () => again(), 404, 'NOT_FOUND')
    })
  })

  describe('reclaim', () => {
    test('takes it from the player and returns the token', async () => {
      const { status, body } = await takeBack(given.coach, id, 'ALLOCATED')
      expect([status, body]).toEqual([200, { instanceId: id, status: 'RECLAIMED' }])
      expect(await row()).toMatchObject({ status: 'RECLAIMED' })
      expect(instant((await row())?.['reclaimed_at'])).toBe(clock.now().toISOString())
      expect(await tokens()).toEqual({ total: 3, used: 0, available: 3 })
      expect(await allocatedTo(given.server, given.coach)).toEqual([])
      const asking = { bearer: player.accessToken }
      const list = await ask<{ data: InstanceSummary[] }>(given.server, 'GET', 'assessment/assessment-instance', asking)
      expect(list.body.data).toEqual([])
      expect((await allocate(given.server, given.coach, player.email)).status).toBe(201)
    })

    test('leaves the answers given so far stored, and later ones are refused', async () => {
      await begin()
      expect((await takeBack(given.coach, id, 'IN_PROGRESS')).status).toBe(200)
      const answers = (await given.server.rows('answer_groups')).filter((one) => one['instance_id'] === id)
      expect(answers).toHaveLength(1)
      await expectRefused(given.server, () => begin(), 409, 'INSTANCE_RECLAIMED')
      await expectRefused(given.server, () => complete(given.server, player, id), 409, 'INSTANCE_RECLAIMED')
    })

    test('makes every call of its player that would reply NOT_COMPLETE reply INSTANCE_RECLAIMED', async () => {
      const waiting = everyEndpoint().filter(([, { errors, access }]) => errors.includes('NOT_COMPLETE') && access.includes('player'))
      expect(waiting.length).toBeGreaterThan(5)
      await begin()
      await takeBack()
      for (const [name, endpoint] of waiting) {
        const body = endpoint.body && { marks: [{ paragraph: 'overview-1', mark: 'like', at: 1 }] }
        const path = endpoint.path.replace('{instanceId}', id)
        const { status, body: said } = await ask<Said>(given.server, endpoint.method, path, { bearer: player.accessToken, body })
        expect([name, status, said.code]).toEqual([name, 409, 'INSTANCE_RECLAIMED'])
      }
    })

    test('stops the coach from changing the notes on it', async () => {
      const path = `assessment/assessment-instance/${id}`
      const note = () => ask(given.server, 'PATCH', path, { bearer: given.coach.accessToken, body: { userTeam: 'Reserves' } })
      expect((await note()).status).toBe(200)
      await takeBack()
      await expectRefused(given.server, note, 404, 'NOT_FOUND')
    })

    test('INPUT-36: a completed one cannot be reclaimed, nor its token returned', async () => {
      await finish()
      await expectRefused(given.server, () => takeBack(), 409, 'ALREADY_COMPLETED')
      expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    })

    test('INPUT-37: a second time is refused, with one token returned', async () => {
      await takeBack()
      await expectRefused(given.server, () => takeBack(), 409, 'ALREADY_RECLAIMED')
      expect(await tokens()).toEqual({ total: 3, used: 0, available: 3 })
    })

    test('INPUT-38: another coach’s, an unknown and an invalid one are not found', async () => {
      await expectRefused(given.server, () => takeBack(other), 404, 'NOT_FOUND')
      await expectRefused(given.server, () => takeBack(given.coach, crypto.randomUUID()), 404, 'NOT_FOUND')
      await expectRefused(given.server, () => takeBack(given.coach, 'x'), 404, 'NOT_FOUND')
      await takeBack()
      await expectRefused(given.server, () => takeBack(other), 404, 'NOT_FOUND')
    })

    test('one that the player bought cannot be reclaimed', async () => {
      for (const share of [0, 0.5, 1]) {
        const bought = await given.server.giveInstance(player, share)
        await expectRefused(given.server, () => takeBack(given.coach, bought), 404, 'NOT_FOUND')
      }
    })

    test('is refused if the player has started since the coach saw the status', async () => {
      await begin()
      await expectRefused(given.server, () => takeBack(given.coach, id, 'ALLOCATED'), 409, 'PLAYER_HAS_BEGUN')
      expect((await takeBack(given.coach, id)).status).toBe(200)
    })

    test('is refused for a completed instance, whatever status the coach saw', async () => {
      await finish()
      for (const seen of ['ALLOCATED', 'IN_PROGRESS', 'OWNED', 'RECLAIMED']) {
        await expectRefused(given.server, () => takeBack(given.coach, id, seen), 409, 'ALREADY_COMPLETED')
      }
    })

    test('is logged in the audit log', async () => {
      await takeBack()
      const [last] = (await given.server.rows('audit_entries')).toSorted((a, b) => Number(b['id']) - Number(a['id']))
      expect(last).toMatchObject({ event: 'reclaimed', user_id: given.coach.userId, about: id })
    })
  })
})
