import { beforeEach, describe, expect, test } from 'vitest'
import { ask, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { timePasses } from '#tests/support/jobs.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { allocate, allocatedTo, coachWith, resend, tokensOf } from '../instances/support.ts'
import { serverWithMail } from '#tests/server/mailer/support.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** RFC 8058, docs/decisions/0026 */
describe('an address that opts out of invitations', () => {
  const clock = movableClock()
  const server = givenServer({ clock })
  let coach: Person
  let email: string
  let count = 0

  beforeEach(async () => {
    count += 1
    coach = await coachWith(server, `coach${count}@club.test`, 5)
    email = `player${count}@club.test`
  })

  const invitations = async () => {
    await server.deps.jobs.settled('mails')
    return server.mails(email).filter(({ text }) => text.includes('/brief'))
  }
  /** Allocates an assessment and reads the token from the invitation. */
  async function tokenFor(): Promise<string> {
    await allocate(server, coach, email)
    return /stop\?token=(\w+)/.exec((await invitations())[0]?.text ?? '')?.[1] ?? ''
  }
  const stop = (token: string, body?: unknown, headers = {}) =>
    ask<{ isStopped: boolean; code: string }>(server, 'POST', `invitations/stop?token=${token}`, { body, headers })
  const allow = (token: string) => ask<{ isStopped: boolean; code: string }>(server, 'POST', `invitations/allow?token=${token}`)
  const state = async () => (await allocatedTo(server, coach)).map(({ invitation }) => invitation)

  test('can do so with the one-click request of a mail program, and then gets no invitation from any coach', async () => {
    const token = await tokenFor()
    const { status, body } = await stop(token, 'List-Unsubscribe=One-Click', FORM)
    expect([status, body]).toEqual([200, { isStopped: true }])
    const before = (await invitations()).length
    const other = await coachWith(server, `other${count}@club.test`, 1)
    expect((await allocate(server, other, email.toUpperCase())).body).toMatchObject({ status: 'ALLOCATED', invitation: 'unwanted' })
    expect(await invitations()).toHaveLength(before)
    expect(await tokensOf(server, other)).toMatchObject({ used: 1 })
  })

  test('gets no reminders, and the refusal tells the coach why', async () => {
    const token = await tokenFor()
    await stop(token)
    const { status, body } = await resend(server, coach, email)
    expect([status, body.code]).toEqual([409, 'INVITATION_UNWANTED'])
    expect(await invitations()).toHaveLength(1)
    expect((await server.rows('instances')).find((row) => row['email_normal'] === email)).toMatchObject({ resends: 0 })
  })

  test('still gets sign-in codes and sees its pending instances', async () => {
    await stop(await tokenFor())
    const player = await signIn(server, email)
    const list = await ask<{ data: unknown[] }>(server, 'GET', 'assessment/assessment-instance', { bearer: player.accessToken })
    expect(list.body.data).toHaveLength(1)
  })

  test('can opt in again', async () => {
    const token = await tokenFor()
    await stop(token)
    await stop(token)
    expect((await allow(token)).body).toEqual({ isStopped: false })
    expect((await resend(server, coach, email)).status).toBe(200)
    expect(await invitations()).toHaveLength(2)
  })

  test('is stored only as a hash, and other addresses still get invitations', async () => {
    const token = await tokenFor()
    await stop(token)
    expect(JSON.stringify(await server.rows('mail_suppressions'))).not.toContain('@')
    expect(token).not.toContain('club')
    const neighbour = `neighbour${count}@club.test`
    expect((await allocate(server, coach, neighbour)).body.invitation).toBe('waiting')
  })

  test.each([
    ['', 'NOT_FOUND'],
    ['x', 'NOT_FOUND'],
    ['a'.repeat(96), 'NOT_FOUND'],
    ['é'.repeat(96), 'NOT_FOUND'],
    ['a'.repeat(201), 'INVALID_INPUT'],
  ])('needs a valid token, which is not: %s', async (token, code) => {
    const before = await server.rows('mail_suppressions')
    expect((await stop(token)).body.code).toBe(code)
    expect((await allow(token)).body.code).toBe(code)
    expect(await server.rows('mail_suppressions')).toEqual(before)
  })

  test('needs its exact token: one with a changed letter is refused', async () => {
    const token = await tokenFor()
    for (const place of [0, 63, 64, 95]) {
      const changed = `${token.slice(0, place)}${token[place] === 'a' ? 'b' : 'a'}${token.slice(place + 1)}`
      expect((await stop(changed)).body.code).toBe('NOT_FOUND')
    }
  })

  test('is not sent an invitation that is already queued', async () => {
    const { server: waiting, smtp } = await serverWithMail({ clock })
    const giver = await coachWith(waiting, 'giver@club.test', 2)
    await allocate(waiting, giver, email)
    await waiting.deps.jobs.settled('mails')
    const token = /token=(\w+)/.exec(smtp.delivered.at(-1)?.headers['list-unsubscribe'] ?? '')?.[1] ?? ''
    smtp.replyWith(451)
    await resend(waiting, giver, email)
    await waiting.deps.jobs.settled('mails')
    await ask(waiting, 'POST', `invitations/stop?token=${token}`)
    smtp.replyWith(250)
    await timePasses(waiting, 60)
    await waiting.deps.jobs.settled('mails')
    expect(smtp.delivered.filter(({ to }) => to === email)).toHaveLength(1)
    expect((await allocatedTo(waiting, giver)).map(({ invitation }) => invitation)).toEqual(['unwanted'])
  })

  test('must confirm: opening the link changes nothing and redirects to a page that asks', async () => {
    const token = await tokenFor()
    const looked = await fetch(`${server.address}/api/invitations/stop?token=${token}`, { redirect: 'manual' })
    expect([looked.status, looked.headers.get('location')]).toEqual([302, `/invitations/stop?token=${token}`])
    expect(await state()).toEqual(['sent'])
    expect((await resend(server, coach, email)).status).toBe(200)
  })
})

test('invitations and reminders have one-click unsubscribe headers, codes do not; a retry has the same message id', async () => {
  const clock = movableClock()
  const { server, smtp } = await serverWithMail({ clock, env: { PUBLIC_URL: 'https://portal.test' } })
  const coach = await coachWith(server, 'coach@club.test', 1)
  const [code] = smtp.delivered
  expect(code?.headers['list-unsubscribe']).toBeUndefined()
  await allocate(server, coach, 'player@club.test', { language: 'fr' })
  await server.deps.jobs.settled('mails')
  // the reminder is sent at the second attempt
  smtp.replyWith(451)
  await resend(server, coach, 'player@club.test')
  await server.deps.jobs.settled('mails')
  smtp.replyWith(250)
  await timePasses(server, 60)
  await server.deps.jobs.settled('mails')
  const [, invitation, reminder, ...more] = smtp.delivered
  expect(more).toEqual([])
  for (const mail of [invitation, reminder]) {
    expect(mail?.headers['list-unsubscribe']).toMatch(/^<https:\/\/portal\.test\/api\/invitations\/stop\?token=[a-p]{96}>$/)
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(mail?.text).toContain('Ne plus recevoir d’invitations à cette adresse')
    expect(mail?.html).toMatch(/<a href="https:\/\/portal\.test\/invitations\/stop\?token=[a-p]{96}"/)
    expect(mail?.headers['message-id']).toMatch(/^<[a-p-]{36}@touchline\.test>$/)
  }
  const ids = (await server.rows('mails')).map(({ id }) => String(id).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? ''))
  expect([invitation, reminder].map((mail) => mail?.headers['message-id']?.slice(1, 37)).toSorted()).toEqual(ids.toSorted())
})
