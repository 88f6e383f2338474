import { beforeEach, describe, expect, test } from 'vitest'
import type { Instance } from '#contract/instances.ts'
import { dateText } from '#contract/rules/dates.ts'
import { ask, closeAccount, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { closedAccounts, DAY_SECONDS } from './closed-accounts.ts'

/** Closing an account with POST user/{id}/deactivate, and reopening it; erasing: erase.server.test.ts. PROFILE-42, LOGIN-19, SESSION-18 */
describe('closing an account', () => {
  const clock = movableClock()
  const server = givenServer({ clock })
  let player: Person
  let count = 0

  beforeEach(async () => {
    count += 1
    player = await signIn(server, `closing${count}@club.test`)
  })

  const { profile, reopen, rowOf, afterDays } = closedAccounts(server, clock)
  const row = () => rowOf(player.userId)
  const close = (person = player, language = 'en') => closeAccount(server, person, language)
  const askForCode = (person = player, id = person.userId) =>
    ask<{ session: string; code: string }>(server, 'POST', `user/${id}/deactivate/code`, { bearer: person.accessToken })
  const closeWith = (body: object, person = player, id = person.userId) =>
    ask<{ reopenUntil: string; code: string }>(server, 'POST', `user/${id}/deactivate`, { bearer: person.accessToken, body })
  const wrong = (otp: string) => String((Number(otp) + 1) % 10 ** 8).padStart(8, '0')
  const refresh = (person: Person) => ask(server, 'POST', 'user/auth/refresh', { body: { refreshToken: person.refreshToken } })
  const about = async (table: string, instanceId: string) =>
    (await server.rows(table)).filter((one) => one['instance_id'] === instanceId || one['id'] === instanceId)

  test('SESSION-18: every session ends at once, on every device', async () => {
    clock.forward(61)
    const tablet = await signIn(server, player.email)
    const { status, body } = await close()
    expect(status).toBe(200)
    expect(new Date(body.reopenUntil).getTime()).toBe(clock.now().getTime() + 30 * DAY_SECONDS * 1000)
    for (const device of [player, tablet]) {
      expect((await profile(device)).body.code).toBe('INVALID_TOKEN')
      expect([(await refresh(device)).status, (await refresh(device)).body.code]).toEqual([401, 'SESSION_REVOKED'])
    }
    expect((await closeWith({ session: 'x', otp: '12345678' })).status).toBe(401)
  })

  test('a mail in the user’s language says what happened and until when it can be undone', async () => {
    const other = await signIn(server, `french${count}@club.test`)
    await close()
    await close(other, 'fr')
    await server.deps.jobs.settled('mails')
    const date = (language: string) =>
      dateText(new Date(clock.now().getTime() + 30 * DAY_SECONDS * 1000), language, { dateStyle: 'long', timeZone: 'UTC' })
    expect(server.mails(player.email)[0]?.subject).toBe('Your Touchline account is closed')
    expect(server.mails(player.email)[0]?.text).toContain(`before ${date('en')}`)
    expect(server.mails(other.email)[0]?.subject).toBe('Ton compte Touchline est fermé')
    expect(server.mails(other.email)[0]?.text).toContain(`avant le ${date('fr')}`)
  })

  test('WORDS-4: a first of the month is written as French writes it', async () => {
    const now = clock.now()
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1, 12)
    clock.forward((first - now.getTime()) / 1000 - 30 * DAY_SECONDS)
    const other = await signIn(server, `first${count}@club.test`)
    await close(other, 'fr')
    await server.deps.jobs.settled('mails')
    expect(server.mails(other.email)[0]?.text).toMatch(/avant le 1er \p{L}+ \d{4},/u)
  })

  test('LOGIN-22: signing in works as usual until the right code is entered, which is refused with the reason', async () => {
    await close()
    await server.deps.jobs.settled('mails')
    clock.forward(61)
    const start = (email: string) =>
      ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
    const [closed, fresh] = [await start(player.email), await start(`new${count}@club.test`)]
    expect([closed.status, Object.keys(closed.body)]).toEqual([fresh.status, Object.keys(fresh.body)])
    expect(server.mails(player.email)[0]?.subject).toBe('Your Touchline sign-in code')
    const sessions = (await server.rows('sessions')).length
    const verify = (session: string, email: string, otp: string) =>
      ask(server, 'POST', 'user/auth/verify-otp', { body: { session, email, otp } })
    const code = server.codeFor(player.email)
    const guess = await verify(closed.body.session, player.email, wrong(code))
    const other = await verify(fresh.body.session, `new${count}@club.test`, '00000000')
    const bare = ({ text }: { text: string }) => text.replace(/"requestId":"[^"]*"/, '')
    expect([guess.status, bare(guess)]).toEqual([other.status, bare(other)])
    const right = await verify(closed.body.session, player.email, code)
    expect([right.status, right.body.code]).toEqual([403, 'ACCOUNT_CLOSED'])
    // a right code works once, even if it is refused
    expect((await verify(closed.body.session, player.email, code)).body.code).toBe('INVALID_CODE')
    expect((await server.rows('sessions')).length).toBe(sessions)
  })

  describe('the code', () => {
    test('comes in a mail that says what it is for, and is needed to close the account', async () => {
      const { session } = (await askForCode()).body
      const mail = server.mails(player.email)[0]
      expect(mail?.subject).toBe('Your code to close your Touchline account')
      expect(mail?.text).toContain('Wasn’t you?')
      for (const body of [undefined, {}, { session }, { session, otp: '1234' }]) {
        expect((await closeWith(body as object)).status).toBe(400)
      }
      expect((await closeWith({ session, otp: wrong(server.codeFor(player.email)) })).body.code).toBe('INVALID_CODE')
      expect((await profile(player)).status).toBe(200)
      expect((await closeWith({ session, otp: server.codeFor(player.email) })).status).toBe(200)
    })

    test('cannot be used or sent again for a sign-in, and a sign-in’s code does not close the account', async () => {
      clock.forward(61)
      const signing = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', {
        body: { email: player.email, userTypeCode: 'player' },
      })
      expect((await closeWith({ session: signing.body.session, otp: server.codeFor(player.email) })).body.code).toBe('INVALID_CODE')
      const { session } = (await askForCode()).body
      expect(session).not.toBe(signing.body.session)
      const body = { session, email: player.email, otp: server.codeFor(player.email) }
      const entered = await ask(server, 'POST', 'user/auth/verify-otp', { body })
      expect([entered.status, entered.body.code]).toEqual([401, 'INVALID_CODE'])
      clock.forward(61)
      const again = await ask(server, 'POST', 'user/auth/send-otp', { body: { session, email: player.email } })
      expect(again.body.code).toBe('CODE_EXPIRED')
      expect((await closeWith({ session, otp: body.otp })).status).toBe(200)
    })

    test('is valid only for the session that requested it', async () => {
      clock.forward(61)
      const thief = await signIn(server, player.email)
      const { session } = (await askForCode()).body
      const otp = server.codeFor(player.email)
      expect((await closeWith({ session, otp }, thief)).body.code).toBe('INVALID_CODE')
      expect((await askForCode(thief)).body.session).not.toBe(session)
      expect((await closeWith({ session, otp })).status).toBe(200)
    })

    test('stays the same for 60 s, expires after 10 minutes or five tries, and wrong tries are logged', async () => {
      const { session } = (await askForCode()).body
      expect((await askForCode()).body.session).toBe(session)
      const otp = server.codeFor(player.email)
      const replies = []
      for (let i = 0; i < 6; i += 1) replies.push((await closeWith({ session, otp: wrong(otp) })).body.code)
      expect(replies).toEqual([...Array.from({ length: 4 }, () => 'INVALID_CODE'), 'CODE_EXHAUSTED', 'CODE_EXHAUSTED'])
      expect((await closeWith({ session, otp })).body.code).toBe('CODE_EXHAUSTED')
      const events = (await server.rows('audit_entries')).filter((one) => one['user_id'] === player.userId).map((one) => one['event'])
      expect(events.filter((event) => event === 'account-close-failed')).toHaveLength(5)
      const next = (await askForCode()).body.session
      expect(next).not.toBe(session)
      const late = server.codeFor(player.email)
      clock.forward(10 * 60 + 1)
      expect((await closeWith({ session: next, otp: late })).body.code).toBe('CODE_EXPIRED')
    })

    test('is limited to five an hour, separately from sign-in codes', async () => {
      const statuses = []
      for (let i = 0; i < 6; i += 1) {
        statuses.push((await askForCode()).status)
        clock.forward(61)
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
      expect((await signIn(server, player.email)).userId).toBe(player.userId)
    })
  })

  test('nobody else’s account can be closed', async () => {
    const coach = await signIn(server, `coach${count}@club.test`, 'coach', coachData)
    for (const [who, id] of [
      [coach, player.userId],
      [player, coach.userId],
      [player, crypto.randomUUID()],
    ] as const) {
      const { session } = (await askForCode(who)).body
      for (const reply of [await askForCode(who, id), await closeWith({ session, otp: server.codeFor(who.email) }, who, id)]) {
        expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND'])
      }
    }
    expect((await profile(player)).status).toBe(200)
    expect((await close(coach)).status).toBe(200)
  })

  test('the operator reopens it, with everything as it was', async () => {
    await ask(server, 'PATCH', `user/${player.userId}`, { bearer: player.accessToken, body: { firstName: 'Noa', gender: 'female' } })
    const instance = await server.giveInstance(player, 0.5)
    const before = await row()
    await close()
    await afterDays(29)
    expect((await reopen(player.email, 'coach')).body.code).toBe('USER_EXISTS')
    const { status, body } = await reopen(player.email.toUpperCase())
    expect([status, body.userId, body.firstName, body.deactivatedAt]).toEqual([201, player.userId, 'Noa', null])
    await afterDays(2)
    expect(await row()).toEqual(before)
    // a session that was ended stays ended
    expect((await profile(player)).status).toBe(401)
    const back = await signIn(server, player.email)
    expect(back.userId).toBe(player.userId)
    const { body: saved } = await ask<Instance>(server, 'GET', `assessment/assessment-instance/${instance}`, { bearer: back.accessToken })
    expect(saved.answeredCount).toBeGreaterThan(0)
  })

  test('a pending instance is not attached to a closed account', async () => {
    await close()
    const waiting = await server.giveInstance(player)
    await server.deps.db.execute(`update instances set user_id = null, status = 'ALLOCATED' where id = '${waiting}'`)
    clock.forward(61)
    await expect(signIn(server, player.email)).rejects.toThrow('ACCOUNT_CLOSED')
    expect(await about('instances', waiting)).toMatchObject([{ user_id: null }])
    await reopen(player.email)
    clock.forward(61)
    await signIn(server, player.email)
    expect(await about('instances', waiting)).toMatchObject([{ user_id: player.userId }])
  })
})
