import { beforeEach, describe, expect, test } from 'vitest'
import { ALLOCATIONS_PER_DAY, RECLAIMED_UNOPENED_ALLOWANCE, RECLAIMED_UNOPENED_PER_TOKEN } from '#contract/constants.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { ask, closeAccount, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { expectUnchanged, givenCoach, rowOf } from './given.ts'
import { allocate, allocatedTo, ASSESSMENT, CONTENT_VERSION, coachWith, giveTokens, openBrief, reclaim, save, tokensOf } from './support.ts'

/** Allocating an assessment to a player for one token. ASSIGN-5 to ASSIGN-8, INPUT-31 to INPUT-35 */
describe('allocating', () => {
  const clock = movableClock()
  const given = givenCoach(3, clock)
  let email: string

  beforeEach(() => {
    email = given.address('player')
  })

  const give = (to = email, more: object = {}) => allocate(given.server, given.coach, to, more)
  const own = async (player: Person) =>
    (await ask<{ data: InstanceSummary[] }>(given.server, 'GET', 'assessment/assessment-instance', { bearer: player.accessToken })).body
      .data
  // from the database, because no reply says it before the brief is opened
  const holderOf = async (id: string) => (await rowOf(given.server, id))?.['user_id']
  const tokens = () => tokensOf(given.server, given.coach)
  const invitations = (to: string) => given.server.mails(to).filter(({ text }) => text.includes('/assessment/'))

  test('takes one token, pins the content and sends the invitation', async () => {
    const { status, body } = await give(` ${email.toUpperCase()} `)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      assessmentId: ASSESSMENT,
      status: 'ALLOCATED',
      userId: null,
      userName: null,
      userEmail: email.toUpperCase(),
      allocatedAt: clock.now().toISOString(),
      coachFirstName: 'Alex',
      coachLastName: 'Bergeron',
      hasProfilePicture: false,
      results: null,
      answeredCount: 0,
    })
    const row = await rowOf(given.server, body.instanceId)
    expect(row).toMatchObject({ content_version: CONTENT_VERSION, coach_id: given.coach.userId, user_id: null, resends: 0 })
    expect(row?.['invited_at']).toEqual(row?.['allocated_at'])
    expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    await given.server.deps.jobs.settled('mails')
    expect(invitations(email)).toHaveLength(1)
  })

  test('a player with an account has it at once, and may start', async () => {
    const player = await signIn(given.server, email)
    const { body } = await give()
    expect(await holderOf(body.instanceId)).toBe(player.userId)
    expect(await own(player)).toMatchObject([{ instanceId: body.instanceId, status: 'ALLOCATED', coachFirstName: 'Alex' }])
    const saved = await save(given.server, player, body.instanceId, [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }])
    expect(saved.status).toBe(200)
    expect(await allocatedTo(given.server, given.coach)).toMatchObject([{ status: 'IN_PROGRESS', answeredCount: 1 }])
  })

  test('a player who signs up later gets it then, ignoring the case of the e-mail', async () => {
    const { body } = await give(email.toUpperCase())
    const player = await signIn(given.server, email)
    expect(await own(player)).toMatchObject([{ instanceId: body.instanceId, status: 'ALLOCATED' }])
    expect(await holderOf(body.instanceId)).toBe(player.userId)
  })

  test('a reopened account gets what was allocated while it was closed', async () => {
    const player = await signIn(given.server, email)
    await closeAccount(given.server, player)
    const { body } = await give()
    expect(await holderOf(body.instanceId)).toBeNull()
    const bearer = given.server.deps.keys.operatorKey
    await ask(given.server, 'POST', 'user', { bearer, body: { email, userTypeCode: 'player' } })
    expect(await holderOf(body.instanceId)).toBe(player.userId)
  })

  test('an account created by the operator gets it, too', async () => {
    const allocated = await give()
    const asking = { bearer: given.server.deps.keys.operatorKey, body: { email, userTypeCode: 'player' } }
    const made = await ask<{ userId: string }>(given.server, 'POST', 'user', asking)
    expect(await holderOf(allocated.body.instanceId)).toBe(made.body.userId)
  })

  test('INPUT-31: a coach’s e-mail is refused in the words of ASSIGN-5', async () => {
    await signIn(given.server, given.address('other'), 'coach', coachData)
    await expectUnchanged(given.server, async () => {
      const { status, body } = await give(given.address('Other').replace('club', 'Club'))
      expect([status, body.code]).toEqual([409, 'COACH_ALLOCATION_NOT_ALLOWED'])
      expect(body.message).toBe("Cannot allocate assessment to a coach. Please provide a player's email address.")
    })
  })

  test('INPUT-31: so is the e-mail of a coach whose account is closed', async () => {
    const other = await signIn(given.server, given.address('closed'), 'coach', coachData)
    await closeAccount(given.server, other)
    expect((await give(other.email)).body.code).toBe('COACH_ALLOCATION_NOT_ALLOWED')
  })

  test('INPUT-32: and the coach’s own', async () => {
    await expectUnchanged(given.server, async () => {
      const { status, body } = await give(given.coach.email.toUpperCase())
      expect([status, body.code]).toEqual([409, 'COACH_ALLOCATION_NOT_ALLOWED'])
    })
  })

  test('INPUT-33: without a token nothing is allocated and nobody invited', async () => {
    const poor = await coachWith(given.server, given.address('poor'), 1)
    await allocate(given.server, poor, given.address('first'))
    const none = await coachWith(given.server, given.address('none'), 0)
    await expectUnchanged(given.server, async () => {
      for (const one of [poor, none]) {
        const { status, body } = await allocate(given.server, one, email)
        expect([status, body.code]).toEqual([409, 'NO_TOKENS_AVAILABLE'])
      }
    })
    expect(given.server.mails(email)).toEqual([])
  })

  test('INPUT-34: an assessment that the player has not finished is not allocated twice, and takes no token', async () => {
    await give()
    await expectUnchanged(given.server, async () => {
      const { status, body } = await give(email.toUpperCase())
      expect([status, body.code]).toEqual([409, 'ALREADY_ALLOCATED'])
    })
    expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    const other = await coachWith(given.server, given.address('another'), 1)
    expect((await allocate(given.server, other, email)).status).toBe(201)
  })

  test('INPUT-35: a double click, or a retry after a lost reply, gets the same reply and takes no second token', async () => {
    const operationId = crypto.randomUUID()
    const first = await give(email, { operationId })
    await given.server.deps.jobs.settled('mails')
    const again = [await give(email, { operationId }), await give(email.toUpperCase(), { operationId, language: 'fr' })]
    // except `invitation`: the mail has been sent in the meantime
    for (const { status, body } of again) expect([status, body]).toEqual([201, { ...first.body, invitation: 'sent' }])
    expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    await given.server.deps.jobs.settled('mails')
    expect(invitations(email)).toHaveLength(1)
  })

  test('a repeat after a reclaim is refused; a new operation allocates again', async () => {
    const operationId = crypto.randomUUID()
    const first = await give(email, { operationId })
    await reclaim(given.server, given.coach, first.body.instanceId)
    await expectUnchanged(given.server, async () => {
      expect(await give(email, { operationId })).toMatchObject({ status: 409, body: { code: 'OPERATION_MISMATCH' } })
    })
    expect((await give(email, { operationId: crypto.randomUUID() })).status).toBe(201)
    expect(await tokens()).toMatchObject({ available: 2 })
  })

  test('INPUT-35: an operation id belongs to one coach and one content', async () => {
    const operationId = crypto.randomUUID()
    await give(email, { operationId })
    await expectUnchanged(given.server, async () => {
      const { status, body } = await give(`x${email}`, { operationId })
      expect([status, body.code]).toEqual([409, 'OPERATION_MISMATCH'])
    })
    const other = await coachWith(given.server, given.address('second'), 1)
    expect((await allocate(given.server, other, `x${email}`, { operationId })).status).toBe(201)
  })

  test('an operation that was refused may be carried out later', async () => {
    const operationId = crypto.randomUUID()
    const none = await coachWith(given.server, given.address('later'), 0)
    expect((await allocate(given.server, none, email, { operationId })).body.code).toBe('NO_TOKENS_AVAILABLE')
    await giveTokens(given.server, none, 1)
    expect((await allocate(given.server, none, email, { operationId })).status).toBe(201)
  })

  test('an unknown assessment is not found', async () => {
    await expectUnchanged(given.server, async () => {
      const { status, body } = await give(email, { assessmentId: 'other' })
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
    })
  })

  test.each([
    ['an invalid address', { playerEmail: 'x@' }, 'INVALID_EMAIL'],
    ['two addresses', { playerEmail: 'a@b.test,c@d.test' }, 'INVALID_EMAIL'],
    ['a line break in the address', { playerEmail: 'a@b.test\r\nBcc: c@d.test' }, 'INVALID_EMAIL'],
    ['an invalid operation id', { operationId: 'x' }, 'INVALID_INPUT'],
    ['an unsupported language', { language: 'de' }, 'INVALID_INPUT'],
    ['a status', { status: 'COMPLETED' }, 'UNKNOWN_FIELD'],
    ['a coach’s id', { coachId: crypto.randomUUID() }, 'UNKNOWN_FIELD'],
  ])('%s is refused', async (_what, more, code) => {
    await expectUnchanged(given.server, async () => {
      const { status, body } = await give(email, more)
      expect([status, body.code]).toEqual([400, code])
    })
  })

  test('is limited per day, and the refusal says when the next one is allowed', async () => {
    const busy = await coachWith(given.server, given.address('busy'), 2)
    const now = clock.now().toISOString()
    await given.server.deps.db.execute(
      `insert into instances (id, assessment_id, content_version, email, email_normal, coach_id, status, allocated_at, brief_opened_at, reclaimed_at, created_at)
       select gen_random_uuid(), '${ASSESSMENT}', '${CONTENT_VERSION}', 'x' || n, 'x' || n, '${busy.userId}', 'RECLAIMED',
              timestamptz '${now}' - n * interval '1 second', '${now}', '${now}', '${now}'
         from generate_series(0, ${ALLOCATIONS_PER_DAY - 1}) n`,
    )
    const { status, body, headers } = await allocate(given.server, busy, email)
    expect([status, body.code]).toEqual([429, 'ALLOCATION_LIMIT'])
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBe(86_400 - (ALLOCATIONS_PER_DAY - 1))
    clock.forward(seconds + 1)
    const rested = await signIn(given.server, busy.email)
    expect((await allocate(given.server, rested, email)).status).toBe(201)
    expect((await allocate(given.server, rested, `x${email}`)).status).toBe(201)
  })

  describe('allocating and reclaiming before anybody opened it', () => {
    const maximum = (tokens: number) => RECLAIMED_UNOPENED_PER_TOKEN * tokens + RECLAIMED_UNOPENED_ALLOWANCE

    test('is limited by the coach’s tokens, so that one token cannot invite hundreds of strangers', async () => {
      let poor = await coachWith(given.server, given.address('poor'), 1)
      const first = clock.now().getTime()
      for (let i = 0; i < maximum(1); i += 1) {
        const { status, body } = await allocate(given.server, poor, given.address(`victim${i}.`))
        expect(status).toBe(201)
        expect((await reclaim(given.server, poor, body.instanceId)).status).toBe(200)
        clock.forward(1)
      }
      const refused = await allocate(given.server, poor, given.address('stranger'))
      expect([refused.status, refused.body.code]).toEqual([429, 'ALLOCATION_LIMIT'])
      expect(await tokensOf(given.server, poor)).toMatchObject({ used: 0, available: 1 })
      clock.forward(Number(refused.headers.get('retry-after')))
      expect(clock.now().getTime()).toBe(first + 86_400_000)
      poor = await signIn(given.server, poor.email)
      expect((await allocate(given.server, poor, given.address('stranger'))).status).toBe(201)
    })

    test('is not limited for instances that their players had opened', async () => {
      const strict = await coachWith(given.server, given.address('strict'), 1)
      const player = await signIn(given.server, email)
      for (let i = 0; i <= maximum(1); i += 1) {
        await given.server.deps.db.execute(`delete from mails`)
        const { status, body } = await allocate(given.server, strict, email)
        expect(status).toBe(201)
        await openBrief(given.server, player, body.instanceId)
        await reclaim(given.server, strict, body.instanceId)
      }
    })

    test('is allowed for a class of 40 players with wrong addresses', async () => {
      const busy = await coachWith(given.server, given.address('class'), 40)
      for (let i = 0; i < 40; i += 1) expect((await allocate(given.server, busy, given.address(`wrong${i}.`))).status).toBe(201)
      for (const { instanceId } of await allocatedTo(given.server, busy)) await reclaim(given.server, busy, instanceId)
      for (let i = 0; i < 40; i += 1) expect((await allocate(given.server, busy, given.address(`right${i}.`))).status).toBe(201)
      expect(await tokensOf(given.server, busy)).toMatchObject({ used: 40, available: 0 })
    })
  })

  test('is logged in the audit log', async () => {
    const { body } = await give()
    const [last] = (await given.server.rows('audit_entries')).toSorted((a, b) => Number(b['id']) - Number(a['id']))
    expect(last).toMatchObject({ event: 'allocated', user_id: given.coach.userId, about: body.instanceId })
  })
})
