import { describe, expect, test } from 'vitest'
import { ask, coachData, movableClock, signIn } from '#tests/support/person.ts'
import { allocate, coachWith, resend } from '../instances/support.ts'
import { codeIn, serverWithMail } from '#tests/server/mailer/support.ts'

const ANY_ADDRESS = /[^\s"\\]+(?:@|%(?:25)*40)[^\s"\\]+/g

/** Log lines name the request, never the person (PRIVACY-7), even if a mail server or the database quotes an address. */
describe('the log', () => {
  test('has no e-mail, code or token, even after refusals, failed statements and bad input', async () => {
    const lines: string[] = []
    const { server, smtp } = await serverWithMail({
      clock: movableClock(),
      env: { LOG_LEVEL: 'trace', MAILS_PER_HOUR: '100' },
      logTo: { write: (line) => lines.push(line) },
    })
    const coach = await coachWith(server, 'coach.secret@club.test', 3)
    const player = await signIn(server, 'player.secret@club.test')
    const secrets = [coach.accessToken, coach.refreshToken, player.accessToken, player.refreshToken]

    // a mail server that quotes the address, in a permanent and in a temporary refusal
    for (const code of [550, 451] as const) {
      smtp.replyWith(code)
      await allocate(server, coach, `refused.secret.${code}@club.test`)
      await server.deps.jobs.settled('mails')
      await resend(server, coach, `refused.secret.${code}@club.test`)
      await server.deps.jobs.settled('mails')
      for (let i = 0; i < 2; i += 1) await start('start.secret@club.test')
    }
    smtp.replyWith(250)
    const failures = lines.map((line) => JSON.parse(line) as { err?: object }).filter(({ err }) => err)
    expect(failures.map(({ err }) => err)).toContainEqual(expect.objectContaining({ responseCode: 550, command: 'RCPT TO' }))

    // a database that quotes its values
    await server.deps.db.execute(
      `create function complain() returns trigger language plpgsql as $$ begin raise exception 'no room for: "%"', new.email; end $$`,
    )
    for (const table of ['instances', 'sign_in_challenges', 'users']) {
      await server.deps.db.execute(`create trigger complain before insert or update on ${table} for each row execute function complain()`)
    }
    expect((await start('fails.secret@club.test')).status).toBe(500)
    expect((await allocate(server, coach, 'fails.secret@club.test')).status).toBe(500)
    const body = { firstName: 'Noa Secret' }
    expect((await ask(server, 'PATCH', `user/${player.userId}`, { bearer: player.accessToken, body })).status).toBe(500)

    // addresses, codes and tokens in places where none are expected
    const { accessToken: bearer } = player
    await ask(server, 'GET', 'user/path.secret@club.test', { bearer })
    await ask(server, 'GET', 'user/path.secret%40club.test/profile-with-assessments', { bearer })
    await ask(server, 'GET', `user/'quoted.secret'@club.test`, { bearer })
    await ask(server, 'GET', 'user/twice.secret%2540club.test', { bearer })
    await ask(server, 'GET', `user/email-search?email=query.secret@club.test`, { bearer: coach.accessToken })
    await ask(server, 'POST', 'user/auth/verify-otp', {
      body: { session: 'x', email: 'otp.secret@club.test', otp: server.codeFor('otp.secret@club.test') },
    })
    await ask(server, 'POST', 'user/auth/refresh', { body: { refreshToken: `${player.refreshToken}x` } })
    await ask(server, 'POST', 'user/auth/initiate', { body: '{"email":"broken.secret@club.test"' })
    await ask(server, 'POST', 'user/auth/initiate', { body: { email: ['list.secret@club.test'], ...coachData } })
    await ask(server, 'POST', 'nothing.secret@club.test', { bearer, body: {} })

    const log = lines.join('')
    expect(lines.length).toBeGreaterThan(20)
    expect(log).toContain('no room for')
    const withoutSources = log.replaceAll(/node_modules\/@?[^\s"\\]+|file:\/\/[^\s"\\]+|internal\/[^\s"\\]+/g, '')
    expect(withoutSources.match(ANY_ADDRESS)).toBeNull()
    for (const secret of ['secret@', 'Secret', ...secrets]) expect(log).not.toContain(secret)
    for (const { text } of smtp.delivered) expect(log).not.toContain(codeIn(text) ?? 'a code')

    function start(email: string) {
      return ask(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
    }
  })
})
