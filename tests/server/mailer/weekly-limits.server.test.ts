import { beforeEach, describe, expect, test } from 'vitest'
import { REMINDERS_MAXIMUM } from '#contract/constants.ts'
import type { TokenRow } from '#contract/tokens.ts'
import { ask, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, coachWith, reclaim, resend, tokensOf } from '#tests/server/instances/support.ts'

const DAY_SECONDS = 86_400

/** The limits hold however often an assessment is allocated and reclaimed. docs/decisions/0026 */
describe('invitations to one address in a week', () => {
  const clock = movableClock()
  const server = givenServer({ clock, env: { MAILS_PER_HOUR: '100', MAILS_PER_DAY: '1000' } })
  let coach: Person
  let email: string
  let count = 0

  beforeEach(async () => {
    count += 1
    email = `player${count}@club.test`
    coach = await coachWith(server, `coach${count}@club.test`, 3)
  })

  const mailed = async () => {
    await server.deps.jobs.settled('mails')
    return server.mails(email).filter(({ subject }) => /invites you|reminder/i.test(subject)).length
  }
  const told = (address = email) => server.mails(address).filter(({ subject }) => /taken an assessment back/.test(subject)).length
  const tokenRows = async (as: Person) =>
    (await ask<{ tokens: TokenRow[] }>(server, 'GET', 'tokens', { bearer: as.accessToken })).body.tokens
  /** Reclaims only after the invitation was sent, because an unsent one is dropped. */
  async function inviteAndReclaim(as = coach): Promise<{ status: number; code: string | undefined; wait: number }> {
    const { status, body, headers } = await allocate(server, as, email)
    await mailed()
    if (status === 201) await reclaim(server, as, body.instanceId)
    return { status, code: body.code, wait: Number(headers.get('retry-after')) }
  }

  test('from one coach are limited to one and five reminders, even across reclaims', async () => {
    for (let i = 0; i < 1 + REMINDERS_MAXIMUM; i += 1) {
      expect((await inviteAndReclaim()).status).toBe(201)
      clock.forward(60)
    }
    const refused = await inviteAndReclaim()
    expect(refused).toMatchObject({ status: 429, code: 'ADDRESS_LIMIT', wait: 7 * DAY_SECONDS - 360 })
    expect(await mailed()).toBe(6)
    expect(await tokensOf(server, coach)).toMatchObject({ used: 0, available: 3 })
    clock.forward(refused.wait)
    coach = await signIn(server, coach.email)
    expect((await inviteAndReclaim()).status).toBe(201)
  })

  test('include the reminders of a reclaimed instance', async () => {
    const { instanceId } = (await allocate(server, coach, email)).body
    for (let i = 0; i < 3; i += 1) {
      await mailed()
      expect((await resend(server, coach, email)).status).toBe(200)
    }
    await mailed()
    await reclaim(server, coach, instanceId)
    expect((await allocate(server, coach, email)).status).toBe(201)
    await mailed()
    expect((await resend(server, coach, email)).status).toBe(200)
    await mailed()
    const refused = await resend(server, coach, email)
    expect([refused.status, refused.body.code]).toEqual([429, 'ADDRESS_LIMIT'])
    expect(Number(refused.headers.get('retry-after'))).toBe(7 * DAY_SECONDS)
    expect(await mailed()).toBe(6)
  })

  test('from all coaches are limited to twenty; a further allocation sends no mail, and the reply says so', async () => {
    const others = await Promise.all(['a', 'b', 'c'].map((name) => coachWith(server, `${name}${count}@club.test`, 1)))
    const [, , last] = others
    if (!last) throw new Error('three coaches')
    for (const one of [coach, ...others.slice(0, 2)]) for (let i = 0; i < 6; i += 1) expect((await inviteAndReclaim(one)).status).toBe(201)
    for (let i = 0; i < 2; i += 1) expect((await inviteAndReclaim(last)).status).toBe(201)
    clock.forward(3600)
    const heldUntil = new Date(clock.now().getTime() + (7 * DAY_SECONDS - 3600) * 1000).toISOString()

    let honest = await coachWith(server, `honest${count}@club.test`, 2)
    const { status, body } = await allocate(server, honest, email)
    expect([status, body.status, body.invitation, body.heldUntil]).toEqual([201, 'ALLOCATED', 'given-up', heldUntil])
    expect(await tokensOf(server, honest)).toMatchObject({ used: 1, available: 1 })
    expect(await mailed()).toBe(20)
    const shown = [{ invitation: 'given-up', heldUntil }]
    expect(await allocatedTo(server, honest)).toMatchObject(shown)
    expect((await tokenRows(honest)).filter(({ assignedTo }) => assignedTo === email)).toMatchObject(shown)
    // the player still sees the instance in the app
    const player = await signIn(server, email)
    const own = await ask<{ data: { instanceId: string }[] }>(server, 'GET', 'assessment/assessment-instance', {
      bearer: player.accessToken,
    })
    expect(own.body.data).toMatchObject([{ instanceId: body.instanceId }])

    const refused = await resend(server, honest, email)
    expect([refused.status, refused.body.code, Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      'ADDRESS_LIMIT',
      7 * DAY_SECONDS - 3600,
    ])
    expect(refused.body.message).not.toMatch(/moment|attempts/)
    // other addresses are not affected
    const neighbour = `neighbour${count}@club.test`
    expect((await allocate(server, honest, neighbour)).body).toMatchObject({ status: 'ALLOCATED', heldUntil: null })

    clock.forward(7 * DAY_SECONDS - 3600)
    honest = await signIn(server, honest.email)
    expect((await resend(server, honest, email)).status).toBe(200)
    await server.deps.jobs.settled('mails')
    // no invitation of this coach was sent, so this mail must not be called a reminder
    expect(server.mails(email)[0]?.subject).toContain('invites you')
    expect((await allocatedTo(server, honest))[0]).toMatchObject({ invitation: 'sent', heldUntil: null })
  })

  test('are counted per mailbox: a +tag makes another account, but not another mailbox', async () => {
    const [name] = email.split('@')
    const tagged = Array.from({ length: 8 }, (_, at) => `${name}+${at}@club.test`)
    coach = await coachWith(server, `family${count}@club.test`, 8)
    const given = []
    for (const one of tagged) {
      given.push((await allocate(server, coach, one.toUpperCase())).body)
      await server.deps.jobs.settled('mails')
    }
    expect(given.map(({ heldUntil }) => heldUntil !== null)).toEqual([false, false, false, false, false, false, true, true])
    expect(tagged.flatMap((one) => server.mails(one))).toHaveLength(6)
    const player = await signIn(server, tagged[7] ?? '')
    const own = await ask<{ data: { instanceId: string }[] }>(server, 'GET', 'assessment/assessment-instance', {
      bearer: player.accessToken,
    })
    expect(own.body.data).toMatchObject([{ instanceId: given[7]?.instanceId }])
    expect((await resend(server, coach, tagged[0] ?? '')).body.code).toBe('ADDRESS_LIMIT')
    // a name with the same beginning is another mailbox
    const next = await coachWith(server, `next${count}@club.test`, 1)
    expect((await allocate(server, next, `${name}x@club.test`)).body).toMatchObject({ status: 'ALLOCATED', heldUntil: null })
  })

  test('do not include the one mail about reclaims that a coach sends', async () => {
    for (let i = 0; i < 3; i += 1) await inviteAndReclaim()
    await mailed()
    expect([await mailed(), told()]).toEqual([3, 1])
    const tagged = email.replace('@', '+two@')
    const second = (await allocate(server, coach, tagged)).body.instanceId
    await mailed()
    await reclaim(server, coach, second)
    await mailed()
    expect(told(tagged)).toBe(0)
    clock.forward(7 * DAY_SECONDS)
    coach = await signIn(server, coach.email)
    for (let i = 0; i < 1 + REMINDERS_MAXIMUM; i += 1) expect((await inviteAndReclaim()).status).toBe(201)
    await mailed()
    expect([await mailed(), told()]).toEqual([9, 2])
  })

  test('come with at most three mails about reclaims from all coaches', async () => {
    for (const name of ['e', 'f', 'g', 'h']) {
      await inviteAndReclaim(await coachWith(server, `${name}${count}@club.test`, 1))
      await mailed()
    }
    expect([await mailed(), told()]).toEqual([4, 3])
  })

  test('do not include refused or repeated allocations', async () => {
    const poor = await coachWith(server, `poor${count}@club.test`, 0)
    for (let i = 0; i < 25; i += 1) expect((await inviteAndReclaim(poor)).code).toBe('NO_TOKENS_AVAILABLE')
    const operationId = crypto.randomUUID()
    const first = (await allocate(server, coach, email, { operationId })).body.instanceId
    for (let i = 0; i < 10; i += 1) expect((await allocate(server, coach, email, { operationId })).body.instanceId).toBe(first)
    for (let i = 0; i < REMINDERS_MAXIMUM; i += 1) {
      await mailed()
      expect((await resend(server, coach, email)).status).toBe(200)
    }
    expect(await mailed()).toBe(6)
  })

  test('stay within the limit if allocations are concurrent', async () => {
    for (let i = 0; i < 4; i += 1) await inviteAndReclaim()
    const { instanceId } = (await allocate(server, coach, email)).body
    await mailed()
    await Promise.all(Array.from({ length: 8 }, () => resend(server, coach, email)))
    await mailed()
    await reclaim(server, coach, instanceId)
    await Promise.all(Array.from({ length: 8 }, () => allocate(server, coach, email)))
    expect(await mailed()).toBeLessThanOrEqual(6)
  })
})
