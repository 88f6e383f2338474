import { expect, test } from 'vitest'
import { ask, movableClock, signIn, type Person } from '#tests/support/person.ts'
import type { TestServer } from '#tests/support/start-server.ts'
import { serverWithMail, type FakeMailServer } from '#tests/server/mailer/support.ts'

/** The owner of an account is told of a new device, of an ended session and of its closing, also after an outage of the mail server. MAIL-14 */

const clock = movableClock()

interface Given {
  server: TestServer
  smtp: FakeMailServer
}

/** Asks for a code while the mail server works. Resolves to the call that uses it. */
async function withCode(
  { server, smtp }: Given,
  email: string,
  start: () => Promise<string>,
  use: (session: string, otp: string) => Promise<unknown>,
): Promise<() => Promise<unknown>> {
  clock.forward(61)
  const before = smtp.delivered.length
  const session = await start()
  await expect.poll(() => smtp.delivered.length).toBe(before + 1)
  return () => use(session, server.codeFor(email))
}

const post = (server: TestServer, path: string, body?: object, bearer?: string) =>
  ask<{ session: string }>(server, 'POST', path, { ...(body ? { body } : {}), ...(bearer ? { bearer } : {}) })

const EVENTS: Record<string, (given: Given, owner: Person) => Promise<() => Promise<unknown>>> = {
  'A new sign-in to your Touchline account': ({ server, smtp }, { email }) =>
    withCode(
      { server, smtp },
      email,
      async () => (await post(server, 'user/auth/initiate', { email, userTypeCode: 'player', deviceId: crypto.randomUUID() })).body.session,
      async (session, otp) => expect((await post(server, 'user/auth/verify-otp', { session, email, otp })).status).toBe(200),
    ),
  'One of your Touchline sessions was ended': async ({ server }, { refreshToken }) => {
    const refresh = () => post(server, 'user/auth/refresh', { refreshToken })
    const next = (await refresh()).body as unknown as Person
    await post(server, 'user/auth/refresh', { refreshToken: next.refreshToken })
    clock.forward(61)
    return async () => expect((await refresh()).status).toBe(401)
  },
  'Your Touchline account is closed': ({ server, smtp }, { email, userId, accessToken }) =>
    withCode(
      { server, smtp },
      email,
      async () => (await post(server, `user/${userId}/deactivate/code`, undefined, accessToken)).body.session,
      async (session, otp) => expect((await post(server, `user/${userId}/deactivate`, { session, otp }, accessToken)).status).toBe(200),
    ),
}

test.each(Object.keys(EVENTS))('“%s” is sent once, after the mail server was down', async (subject) => {
  const { server, smtp } = await serverWithMail({ clock })
  const owner = await signIn(server, 'owner@club.test')
  const told = () => smtp.delivered.filter((mail) => mail.to === owner.email && mail.subject === subject)
  const event = await EVENTS[subject]?.({ server, smtp }, owner)
  smtp.replyWith(451)
  const tries = smtp.tries()
  await event?.()
  await expect.poll(smtp.tries).toBeGreaterThan(tries)
  expect(told()).toHaveLength(0)
  smtp.replyWith(250)
  const repeat = { bearer: server.deps.keys.operatorKey, body: { queue: 'mails' } }
  // the failed try is stored only after the reply of the mail server
  await expect.poll(async () => (await ask<{ repeated: number }>(server, 'POST', 'job/repeat', repeat)).body.repeated).toBe(1)
  await server.deps.jobs.settled('mails')
  expect(told()).toHaveLength(1)
  expect(told()[0]?.text).not.toMatch(/\{\{|undefined|\d{8}/)
  expect(told()[0]?.html).toBe('')
})
