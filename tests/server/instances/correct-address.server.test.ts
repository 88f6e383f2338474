import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { ask, signIn } from '#tests/support/person.ts'
import { expectRefused, givenCoach, rowOf } from './given.ts'
import { allocate, allocatedTo, coachWith, complete, everyAnswer, openBrief, reclaim, save, tokensOf, type Allocated } from './support.ts'

/** An assessment allocated to a wrong address goes to the right one, for the same token. docs/decisions/0039 */
describe('correcting an address', () => {
  const given = givenCoach(1)
  let wrong: string
  let right: string
  let id: string

  beforeEach(async () => {
    wrong = given.address('wrong')
    right = given.address('right')
    id = (await allocate(given.server, given.coach, wrong, { playerName: 'Ana Silva', language: 'fr' })).body.instanceId
    await given.server.deps.jobs.settled('mails')
  })

  const correct = (playerEmail = right, more: object = {}, as = given.coach, instanceId = id) =>
    ask<Allocated>(given.server, 'POST', `assessment/assessment-instance/${instanceId}/correct-address`, {
      bearer: as.accessToken,
      body: { playerEmail, ...more },
    })
  const tokens = () => tokensOf(given.server, given.coach)

  test('reclaims it and allocates it to the right address for the same token, with name, notes and language', async () => {
    await ask(given.server, 'PATCH', `assessment/assessment-instance/${id}`, { bearer: given.coach.accessToken, body: { userTeam: 'U19' } })
    const { status, body } = await correct()
    expect([status, body.userEmail, body.userName, body.userTeam]).toEqual([201, right, 'Ana Silva', 'U19'])
    expect(body.instanceId).not.toBe(id)
    // the name that the coach typed is stored with the new instance only
    expect(await rowOf(given.server, id)).toMatchObject({ status: 'RECLAIMED', player_name: null })
    expect(await tokens()).toEqual({ total: 1, used: 1, available: 0 })
    await given.server.deps.jobs.settled('mails')
    expect(given.server.mails(right).map(({ subject }) => subject)).toEqual([expect.stringContaining('t’invite')])
    expect(given.server.mails(right)[0]?.text).toContain(body.instanceId)
    expect(given.server.mails(wrong)).toHaveLength(1)
    expect((await allocatedTo(given.server, given.coach)).map(({ userEmail }) => userEmail)).toEqual([right])
  })

  test('the old link no longer works for the wrong address', async () => {
    await correct()
    const stranger = await signIn(given.server, wrong)
    expect((await save(given.server, stranger, id, everyAnswer.slice(0, 4))).body.code).toBe('INSTANCE_RECLAIMED')
  })

  test('logs both steps in the audit log', async () => {
    const { body } = await correct()
    const about = (await given.server.rows('audit_entries')).map((row) => `${String(row['event'])} ${String(row['about'])}`)
    expect(about).toContain(`reclaimed ${id}`)
    expect(about).toContain(`allocated ${body.instanceId}`)
  })

  test('of 20 concurrent corrections to 20 addresses one succeeds', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, async (_, at) => correct(given.address(`r${at}.`))))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(new Set(replies.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(new Set(['ALREADY_RECLAIMED']))
    expect(await tokens()).toEqual({ total: 1, used: 1, available: 0 })
  })

  test('one operation sent 20 times has one effect, one reply and one mail', async () => {
    const operationId = crypto.randomUUID()
    const replies = await Promise.all(Array.from({ length: 20 }, async () => correct(right, { operationId })))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.instanceId}`)).size).toBe(1)
    await given.server.deps.jobs.settled('mails')
    expect(given.server.mails(right)).toHaveLength(1)
    await expectRefused(given.server, async () => correct(given.address('else'), { operationId }), 409, 'OPERATION_MISMATCH')
  })

  test('with concurrent reclaims it is either corrected or reclaimed, never both', async () => {
    const [corrections, reclaims] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, async (_, at) => correct(given.address(`r${at}.`)))),
      Promise.all(Array.from({ length: 10 }, async () => reclaim(given.server, given.coach, id))),
    ])
    const done = [...corrections, ...reclaims].filter(({ status }) => status < 300)
    expect(done).toHaveLength(1)
    const isCorrected = corrections.some(({ status }) => status === 201)
    expect(await tokens()).toEqual({ total: 1, used: isCorrected ? 1 : 0, available: isCorrected ? 0 : 1 })
  })

  test('if the player starts at that moment, it is either started or corrected, never both', async () => {
    const player = await signIn(given.server, wrong)
    const [corrected, saved] = await Promise.all([correct(), save(given.server, player, id, everyAnswer.slice(0, 4))])
    expect([corrected.status, saved.status].filter((status) => status < 300)).toHaveLength(1)
    expect(corrected.status === 201 ? saved.body.code : corrected.body.code).toBe(
      corrected.status === 201 ? 'INSTANCE_RECLAIMED' : 'PLAYER_HAS_BEGUN',
    )
  })

  test('a refund that is owed does not take the token between the reclaim and the new allocation', async () => {
    await given.server.deps.db.execute(sql.raw(`update token_balances set owed = 1 where coach_id = '${given.coach.userId}'`))
    expect((await correct()).status).toBe(201)
    const balance = (await given.server.rows('token_balances')).find((row) => row['coach_id'] === given.coach.userId)
    expect(balance).toMatchObject({ total: 1, used: 1, owed: 1 })
  })

  describe('refuses, and changes nothing', () => {
    test('once the brief has been opened', async () => {
      await openBrief(given.server, await signIn(given.server, wrong), id)
      await expectRefused(given.server, correct, 409, 'PLAYER_HAS_BEGUN')
    })
    test('once it has been started, or completed', async () => {
      const player = await signIn(given.server, wrong)
      await save(given.server, player, id)
      await expectRefused(given.server, correct, 409, 'PLAYER_HAS_BEGUN')
      await complete(given.server, player, id)
      await expectRefused(given.server, correct, 409, 'ALREADY_COMPLETED')
    })
    test('once it has been reclaimed', async () => {
      await reclaim(given.server, given.coach, id)
      await expectRefused(given.server, correct, 409, 'ALREADY_RECLAIMED')
    })
    test('for the address it already has, and one that already has the assessment', async () => {
      await expectRefused(given.server, async () => correct(wrong.toUpperCase()), 409, 'ALREADY_ALLOCATED')
      await given.server.deps.db.execute(sql.raw(`update token_balances set total = 2 where coach_id = '${given.coach.userId}'`))
      await allocate(given.server, given.coach, right)
      await expectRefused(given.server, correct, 409, 'ALREADY_ALLOCATED')
    })
    test('for a coach’s address, and an invalid one', async () => {
      const other = await coachWith(given.server, given.address('other'), 0)
      const before = await tokens()
      expect((await correct(other.email)).body.code).toBe('COACH_ALLOCATION_NOT_ALLOWED')
      expect((await correct('mailto:x@y')).body.code).toBe('INVALID_EMAIL')
      expect(await tokens()).toEqual(before)
      expect(await rowOf(given.server, id)).toMatchObject({ status: 'ALLOCATED' })
    })
    test('if another coach asks, and with an invalid id', async () => {
      const other = await coachWith(given.server, given.address('other'), 1)
      await expectRefused(given.server, async () => correct(right, {}, other), 404, 'NOT_FOUND')
      await expectRefused(given.server, async () => correct(right, {}, given.coach, 'nope'), 404, 'NOT_FOUND')
    })
  })
})
