import type { Credentials } from '#contract/auth.ts'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import type { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/deps.ts'
import type { TestServer } from './start-server.ts'

export interface Reply<Body = unknown> {
  status: number
  body: Body
  headers: Headers
  text: string
}

interface AskOptions {
  bearer?: string
  body?: unknown
  headers?: Record<string, string>
  language?: string
}

/** One call over real HTTP; `path` is relative to /api/. A string body is sent unchanged. */
export async function ask<Body = Refusal>(
  server: { address: string; deps?: Pick<Deps, 'codeMails'> },
  method: string,
  path: string,
  options: AskOptions = {},
): Promise<Reply<Body>> {
  const { bearer, body, headers, language } = options
  const response = await fetch(`${server.address}/api/${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  // codes are mailed in the background, so this waits until they can be read
  await server.deps?.codeMails.settled()
  // the type is the one that the test expects; its assertions check the real body
  return { status: response.status, headers: response.headers, text, body: (text === '' ? undefined : parsed(text)) as Body }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export interface Person extends Credentials {
  email: string
  userId: string
}

/** Signs in with an emailed code, which creates the account if there is none. */
export async function signIn(
  server: TestServer,
  email: string,
  userTypeCode: UserTypeCode = 'player',
  more: object = {},
  language = 'en',
): Promise<Person> {
  const options = { language, body: { email, userTypeCode, ...more } }
  const started = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', options)
  const body = { session: started.body.session, email, otp: server.codeFor(email) }
  const verified = await ask<Credentials>(server, 'POST', 'user/auth/verify-otp', { body })
  if (verified.status !== 200) throw new Error(`${email} was not signed in: ${verified.text}`)
  return { ...verified.body, email, userId: String(claimsOf(verified.body.accessToken)['sub']) }
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown> // our own token
}

export const coachData = { firstName: 'Alex', lastName: 'Bergeron', city: 'Montréal', country: 'Canada' }

/** A clock that only a test moves forward. */
export function movableClock(start = new Date('2026-03-01T12:00:00Z')) {
  let now = start.getTime()
  return { now: () => new Date(now), forward: (seconds: number) => void (now += seconds * 1000) }
}

/** Closes a person's account with the code that is mailed for it. */
export async function closeAccount(server: TestServer, { userId, email, accessToken: bearer }: Person, language = 'en') {
  const begun = await ask<{ session: string }>(server, 'POST', `user/${userId}/deactivate/code`, { bearer, language })
  const body = { session: begun.body.session, otp: begun.status === 200 ? server.codeFor(email) : '00000000' }
  return ask<{ reopenUntil: string; code: string }>(server, 'POST', `user/${userId}/deactivate`, { bearer, language, body })
}
