import { describe, expect, onTestFinished, test } from 'vitest'
import { ask, movableClock } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { codeIn, expectStopWaitsForMail, serverWithMail, type FakeMailServer } from '#tests/server/mailer/support.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** How a code reaches the mail server, and what reply its caller gets. mailer/code-mails.ts, decision 0026 */
describe('sending a code', () => {
  let server: TestServer
  let smtp: FakeMailServer
  let count = 0

  async function setUp(): Promise<void> {
    ;({ server, smtp } = await serverWithMail({ clock: movableClock() }))
  }

  /** Waits for the reply only, as a browser does. */
  const start = (email: string) =>
    ask<{ session: string; code: string }>({ address: server.address }, 'POST', 'user/auth/initiate', {
      body: { email, userTypeCode: 'player' },
    })
  const verify = (session: string, email: string) =>
    ask<{ code: string }>(server, 'POST', 'user/auth/verify-otp', { body: { session, email, otp: server.codeFor(email) } })
  const settled = () => server.deps.codeMails.settled()
  const newcomer = () => `newcomer${(count += 1)}@club.test`
  const challenges = async (email: string) => (await server.rows('sign_in_challenges')).filter((row) => row['email'] === email)

  /** Sends a first mail, after which the mail server is known to work. */
  async function warm(): Promise<void> {
    expect((await start(newcomer())).status).toBe(200)
    expect(smtp.delivered).toHaveLength(1)
  }

  test('the first start waits for the mail server, which is not yet known to work', async () => {
    await setUp()
    smtp.replyWith(451)
    const { status, body, headers } = await start(newcomer())
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'MAIL_UNAVAILABLE', '30'])
  })

  test('a start does not wait for a mail server that works', async () => {
    await setUp()
    await warm()
    smtp.hold()
    const email = newcomer()
    const { status, body } = await start(email)
    expect(status).toBe(200)
    expect(smtp.delivered).toHaveLength(1)
    smtp.release()
    await settled()
    expect((await verify(body.session, email)).status).toBe(200)
  })

  test('a code that could not be sent is sent again, unchanged, and works', async () => {
    await setUp()
    await warm()
    smtp.replyWith(451)
    const email = newcomer()
    const { status, body } = await start(email)
    expect(status).toBe(200)
    await settled()
    smtp.replyWith(250)
    await waitFor(() => smtp.delivered.length === 2)
    expect((await verify(body.session, email)).status).toBe(200)
  })

  test('while the mail server fails, a start is refused and not counted', async () => {
    await setUp()
    await warm()
    smtp.replyWith(451)
    await start(newcomer())
    await settled()
    const email = newcomer()
    for (let i = 0; i < 7; i += 1) {
      const { status, body } = await start(email)
      expect([status, body.code]).toEqual([503, 'MAIL_UNAVAILABLE'])
    }
    expect(await challenges(email)).toEqual([])
    smtp.replyWith(250)
    expect((await start(email)).status).toBe(200)
    expect(codeIn(smtp.delivered.at(-1)?.text)).toBeDefined()
  })

  test('while the mail server refuses our own address, no start says that a code was sent', async () => {
    await setUp()
    await warm()
    smtp.refuseSender()
    await start(newcomer())
    await settled()
    for (let i = 0; i < 4; i += 1) expect((await start(newcomer())).body.code).toBe('MAIL_UNAVAILABLE')
  })

  test('a start with an address that the mail server refuses is undone, and the next start with it is refused', async () => {
    await setUp()
    await warm()
    smtp.replyWith(550)
    const email = newcomer()
    expect((await start(email)).status).toBe(200)
    await settled()
    expect(await challenges(email)).toEqual([])
    expect((await server.rows('sign_in_counts')).find((row) => row['email_normal'] === email)).toMatchObject({ mails: [] })
    expect((await start(email)).body.code).toBe('MAIL_UNAVAILABLE')
    smtp.replyWith(250)
    // one refused address does not make starts with others wait
    smtp.hold()
    expect((await start(newcomer())).status).toBe(200)
    smtp.release()
  })

  test('a server that stops waits for the mail being sent', async () => {
    await setUp()
    await warm()
    smtp.hold()
    await start(newcomer())
    await expectStopWaitsForMail(server, smtp)
    expect(smtp.delivered).toHaveLength(2)
  })

  test('a code is in no table and in no log line', async () => {
    const lines: string[] = []
    ;({ server, smtp } = await serverWithMail({ env: { LOG_LEVEL: 'trace' }, logTo: { write: (line) => lines.push(line) } }))
    await warm()
    smtp.replyWith(451)
    await start(newcomer())
    await settled()
    smtp.replyWith(250)
    await waitFor(() => smtp.delivered.length === 2)
    const codes = smtp.delivered.map(({ text }) => codeIn(text) ?? '')
    const tables = await server.deps.db.execute<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const stored = JSON.stringify(await Promise.all(tables.rows.map(({ name }) => server.rows(name))))
    for (const code of codes) {
      expect(code).toMatch(/^\d{8}$/)
      expect(stored).not.toContain(code)
      expect(lines.join('')).not.toContain(code)
    }
  })
})

test('the demo’s mailbox has the mail as soon as a start has its reply', async () => {
  const server = await startServer()
  onTestFinished(() => server.close())
  for (let i = 0; i < 20; i += 1) {
    const email = `early${i}@club.test`
    await ask({ address: server.address }, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
    const mails = (await (await fetch(`${server.address}/dev/mail.json?to=${email}`)).json()) as unknown[]
    expect(mails).toHaveLength(1)
  }
})
