import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ALLOCATIONS_PER_DAY, TAKEN_BACK_ANYWAY, TAKEN_BACK_PER_TOKEN } from '#contract/constants.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { ask, closeAccount, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { engines, startServer, type TestServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, ASSESSMENT, coachWith, giveTokens, openBrief, reclaim, save, tokensOf } from './support.ts'

/** Giving a player an assessment for one token. §4 Token statuses, §6, promises §3 31–35 */
describe.each(engines)('allocating (%s)', (database) => {
  const clock = movableClock()
  let server: TestServer
  let coach: Person
  let email: string
  let count = 0

  beforeAll(async () => {
    server = await startServer({ database, clock })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    count += 1
    coach = await coachWith(server, `coach${count}@club.test`, 3)
    email = `player${count}@club.test`
  })

  const give = (to = email, more: object = {}) => allocate(server, coach, to, more)
  const own = async (player: Person) =>
    (await ask<{ data: InstanceSummary[] }>(server, 'GET', 'assessment/assessment-instance', { bearer: player.accessToken })).body.data
  // no reply says it before the brief was opened
  const holderOf = async (id: string) => (await server.rows('instances')).find((row) => row['id'] === id)?.['user_id']
  const tokens = () => tokensOf(server, coach)
  const invitations = (to: string) => server.mails(to).filter(({ text }) => text.includes('/assessment/'))
  /** Nothing but the log grew. */
  async function unchanged(refused: () => Promise<unknown>): Promise<void> {
    await server.deps.mails.wake()
    const before = await hashOfAllRows(server)
    await refused()
    expect(await hashOfAllRows(server)).toEqual(before)
  }

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
    const row = (await server.rows('instances')).find(({ id }) => id === body.instanceId)
    expect(row).toMatchObject({ content_version: 'touchline-profile-1', coach_id: coach.userId, user_id: null, resends: 0 })
    expect(row?.['invited_at']).toEqual(row?.['allocated_at'])
    expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    await server.deps.mails.wake()
    expect(invitations(email)).toHaveLength(1)
  })

  test('a player who has an account holds it at once, and may begin', async () => {
    const player = await signIn(server, email)
    const { body } = await give()
    expect(await holderOf(body.instanceId)).toBe(player.userId)
    expect(await own(player)).toMatchObject([{ instanceId: body.instanceId, status: 'ALLOCATED', coachFirstName: 'Alex' }])
    const saved = await save(server, player, body.instanceId, [{ sectionName: 'Section2', id: 's2-q01', answer: 'A' }])
    expect(saved.status).toBe(200)
    expect(await allocatedTo(server, coach)).toMatchObject([{ status: 'IN_PROGRESS', answeredCount: 1 }])
  })

  test('whoever proves the e-mail later gets it then, whatever its case', async () => {
    const { body } = await give(email.toUpperCase())
    const player = await signIn(server, email)
    expect(await own(player)).toMatchObject([{ instanceId: body.instanceId, status: 'ALLOCATED' }])
    expect(await holderOf(body.instanceId)).toBe(player.userId)
  })

  test('a closed account gets what was given meanwhile once it is open again', async () => {
    const player = await signIn(server, email)
    await closeAccount(server, player)
    const { body } = await give()
    expect(await holderOf(body.instanceId)).toBeNull()
    const bearer = server.deps.keys.operatorKey
    await ask(server, 'POST', 'user', { bearer, body: { email, userTypeCode: 'player' } })
    expect(await holderOf(body.instanceId)).toBe(player.userId)
  })

  test('an account that the operator makes gets it too', async () => {
    const given = await give()
    const asking = { bearer: server.deps.keys.operatorKey, body: { email, userTypeCode: 'player' } }
    const made = await ask<{ userId: string }>(server, 'POST', 'user', asking)
    expect(await holderOf(given.body.instanceId)).toBe(made.body.userId)
  })

  test('31: a coach’s e-mail is refused in the words of §8', async () => {
    await signIn(server, `other${count}@club.test`, 'coach', coachData)
    await unchanged(async () => {
      const { status, body } = await give(`Other${count}@Club.test`)
      expect([status, body.code]).toEqual([409, 'COACH_ALLOCATION_NOT_ALLOWED'])
      expect(body.message).toBe("Cannot allocate assessment to a coach. Please provide a player's email address.")
    })
  })

  test('31: so is that of a coach whose account is closed', async () => {
    const other = await signIn(server, `closed${count}@club.test`, 'coach', coachData)
    await closeAccount(server, other)
    expect((await give(other.email)).body.code).toBe('COACH_ALLOCATION_NOT_ALLOWED')
  })

  test('32: and the own', async () => {
    await unchanged(async () => {
      const { status, body } = await give(coach.email.toUpperCase())
      expect([status, body.code]).toEqual([409, 'COACH_ALLOCATION_NOT_ALLOWED'])
    })
  })

  test('33: without a token nothing is given and nobody invited', async () => {
    const poor = await coachWith(server, `poor${count}@club.test`, 1)
    await allocate(server, poor, `first${count}@club.test`)
    const none = await coachWith(server, `none${count}@club.test`, 0)
    await unchanged(async () => {
      for (const one of [poor, none]) {
        const { status, body } = await allocate(server, one, email)
        expect([status, body.code]).toEqual([409, 'NO_TOKENS_AVAILABLE'])
      }
    })
    expect(server.mails(email)).toEqual([])
  })

  test('34: what the player has not finished is not given twice, and the token is kept', async () => {
    await give()
    await unchanged(async () => {
      const { status, body } = await give(email.toUpperCase())
      expect([status, body.code]).toEqual([409, 'ALREADY_ALLOCATED'])
    })
    expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    const other = await coachWith(server, `another${count}@club.test`, 1)
    expect((await allocate(server, other, email)).status).toBe(201)
  })

  test('35: a double click, or a reply that was lost, answers the same and takes no second token', async () => {
    const operationId = crypto.randomUUID()
    const first = await give(email, { operationId })
    await server.deps.mails.wake()
    const again = [await give(email, { operationId }), await give(email.toUpperCase(), { operationId, language: 'fr' })]
    // but for the invitation, which has left meanwhile
    for (const { status, body } of again) expect([status, body]).toEqual([201, { ...first.body, invitation: 'sent' }])
    expect(await tokens()).toEqual({ total: 3, used: 1, available: 2 })
    await server.deps.mails.wake()
    expect(invitations(email)).toHaveLength(1)
  })

  test('35: an operation id names one content, of one coach', async () => {
    const operationId = crypto.randomUUID()
    await give(email, { operationId })
    await unchanged(async () => {
      const { status, body } = await give(`x${email}`, { operationId })
      expect([status, body.code]).toEqual([409, 'OPERATION_MISMATCH'])
    })
    const other = await coachWith(server, `second${count}@club.test`, 1)
    expect((await allocate(server, other, `x${email}`, { operationId })).status).toBe(201)
  })

  test('an operation that was refused may be carried out later', async () => {
    const operationId = crypto.randomUUID()
    const none = await coachWith(server, `later${count}@club.test`, 0)
    expect((await allocate(server, none, email, { operationId })).body.code).toBe('NO_TOKENS_AVAILABLE')
    await giveTokens(server, none, 1)
    expect((await allocate(server, none, email, { operationId })).status).toBe(201)
  })

  test('an unknown assessment is not found', async () => {
    await unchanged(async () => {
      const { status, body } = await give(email, { assessmentId: 'other' })
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
    })
  })

  test.each([
    ['no address', { playerEmail: 'x@' }, 'INVALID_EMAIL'],
    ['two addresses', { playerEmail: 'a@b.test,c@d.test' }, 'INVALID_EMAIL'],
    ['a line end', { playerEmail: 'a@b.test\r\nBcc: c@d.test' }, 'INVALID_EMAIL'],
    ['an operation id that is none', { operationId: 'x' }, 'INVALID_INPUT'],
    ['a language that is none of ours', { language: 'de' }, 'INVALID_INPUT'],
    ['a status of its own', { status: 'COMPLETED' }, 'UNKNOWN_FIELD'],
    ['another coach', { coachId: crypto.randomUUID() }, 'UNKNOWN_FIELD'],
  ])('%s is refused', async (_what, more, code) => {
    await unchanged(async () => {
      const { status, body } = await give(email, more)
      expect([status, body.code]).toEqual([400, code])
    })
  })

  test('so many a day, and the answer says when the next one may be', async () => {
    const busy = await coachWith(server, `busy${count}@club.test`, 2)
    const now = clock.now().toISOString()
    await server.deps.db.execute(
      `insert into instances (id, assessment_id, content_version, email, email_normal, coach_id, status, allocated_at, brief_opened_at, reclaimed_at, created_at)
       select gen_random_uuid(), '${ASSESSMENT}', 'touchline-profile-1', 'x' || n, 'x' || n, '${busy.userId}', 'RECLAIMED',
              timestamptz '${now}' - n * interval '1 second', '${now}', '${now}', '${now}'
         from generate_series(0, ${ALLOCATIONS_PER_DAY - 1}) n`,
    )
    const { status, body, headers } = await allocate(server, busy, email)
    expect([status, body.code]).toEqual([429, 'ALLOCATION_LIMIT'])
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBe(86_400 - (ALLOCATIONS_PER_DAY - 1))
    clock.forward(seconds + 1)
    const rested = await signIn(server, busy.email)
    expect((await allocate(server, rested, email)).status).toBe(201)
    expect((await allocate(server, rested, `x${email}`)).status).toBe(201)
  })

  describe('what is given and taken back before anybody looked', () => {
    const maximum = (tokens: number) => TAKEN_BACK_PER_TOKEN * tokens + TAKEN_BACK_ANYWAY

    test('is bounded by the tokens there are: one does not reach hundreds of strangers', async () => {
      let poor = await coachWith(server, `poor${count}@club.test`, 1)
      const first = clock.now().getTime()
      for (let i = 0; i < maximum(1); i += 1) {
        const { status, body } = await allocate(server, poor, `victim${count}+${i}@club.test`)
        expect(status).toBe(201)
        expect((await reclaim(server, poor, body.instanceId)).status).toBe(200)
        clock.forward(1)
      }
      const refused = await allocate(server, poor, `stranger${count}@club.test`)
      expect([refused.status, refused.body.code]).toEqual([429, 'ALLOCATION_LIMIT'])
      expect(await tokensOf(server, poor)).toMatchObject({ used: 0, available: 1 })
      clock.forward(Number(refused.headers.get('retry-after')))
      expect(clock.now().getTime()).toBe(first + 86_400_000)
      poor = await signIn(server, poor.email)
      expect((await allocate(server, poor, `stranger${count}@club.test`)).status).toBe(201)
    })

    test('counts nothing that its player had opened', async () => {
      const strict = await coachWith(server, `strict${count}@club.test`, 1)
      const player = await signIn(server, email)
      for (let i = 0; i <= maximum(1); i += 1) {
        await server.deps.db.execute(`delete from mails`)
        const { status, body } = await allocate(server, strict, email)
        expect(status).toBe(201)
        await openBrief(server, player, body.instanceId)
        await reclaim(server, strict, body.instanceId)
      }
    })

    test('leaves room for a whole class at once, and for its wrong addresses', async () => {
      const busy = await coachWith(server, `class${count}@club.test`, 40)
      for (let i = 0; i < 40; i += 1) expect((await allocate(server, busy, `wrong${i}.${count}@club.test`)).status).toBe(201)
      for (const { instanceId } of await allocatedTo(server, busy)) await reclaim(server, busy, instanceId)
      for (let i = 0; i < 40; i += 1) expect((await allocate(server, busy, `right${i}.${count}@club.test`)).status).toBe(201)
      expect(await tokensOf(server, busy)).toMatchObject({ used: 40, available: 0 })
    })
  })

  test('leaves a trace in the audit log', async () => {
    const { body } = await give()
    const [last] = (await server.rows('audit_entries')).toSorted((a, b) => Number(b['id']) - Number(a['id']))
    expect(last).toMatchObject({ event: 'allocated', user_id: coach.userId, about: body.instanceId })
  })
})
