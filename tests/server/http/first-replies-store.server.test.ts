import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { IDEMPOTENCY_HEADER } from '#contract/constants.ts'
import { engines } from '#tests/support/databases.ts'
import { ask, movableClock, type Reply } from '#tests/support/person.ts'
import { newEmail } from '#tests/support/given-person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { deleteOldReplies, repliedOnce } from '#server/http/first-replies-store.ts'
import { Refused } from '#server/http/refusal.ts'

/** A request that a browser repeats by itself. Decision 0069 */

const clock = movableClock()
const server = givenServer({ clock })

interface SignedIn {
  refreshToken: string
  accessToken: string
  code?: string
}

async function begun(): Promise<{ session: string; email: string; otp: string }> {
  const email = newEmail('once')
  const { body } = await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body: { email, userTypeCode: 'player' } })
  return { session: body.session, email, otp: server.codeFor(email) }
}

const verify = (body: object, key?: string): Promise<Reply<SignedIn>> =>
  ask<SignedIn>(server, 'POST', 'user/auth/verify-otp', { body, headers: key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key } })

const KEY = '3f0e8f8e-5f4b-4a57-9d2f-0c3f5b1f7a10'

test('a repeat with the same key gets the first reply, and nothing is done again', async () => {
  const body = await begun()
  const first = await verify(body, KEY)
  expect(first.status).toBe(200)
  expect((await verify(body, KEY)).body).toEqual(first.body)
  const { rows } = await server.deps.db.execute(`select count(*)::int as count from sessions`)
  expect(rows).toEqual([{ count: 1 }])
})

test('64 of the same request at once: one is carried out, all get its reply', async () => {
  const body = await begun()
  const replies = await Promise.all(Array.from({ length: 64 }, () => verify(body, `at-once-${KEY}`)))
  const tokens = replies.filter(({ status }) => status === 200).map(({ body: { refreshToken } }) => refreshToken)
  expect(tokens.length).toBeGreaterThan(1)
  expect(new Set(tokens).size).toBe(1)
  // an overload may refuse some
  expect(replies.every(({ status }) => status === 200 || status === 503)).toBe(true)
})

test('another key, another request, no key or a guessable one: judged anew', async () => {
  const body = await begun()
  expect((await verify(body, KEY)).status).toBe(200)
  for (const key of [undefined, `other-${KEY}`, '1', `${KEY} ${KEY}`]) expect((await verify(body, key)).body.code).toBe('INVALID_CODE')
  const other = await begun()
  expect((await verify({ ...other, otp: body.otp }, KEY)).status).toBe(401)
  expect((await verify(other, KEY)).status).toBe(200)
})

test('a refusal is not kept: the right code after a wrong one signs in', async () => {
  const body = await begun()
  const wrong = { ...body, otp: body.otp === '00000000' ? '00000001' : '00000000' }
  expect([(await verify(wrong, KEY)).status, (await verify(wrong, KEY)).status]).toEqual([401, 401])
  expect((await verify(body, KEY)).status).toBe(200)
})

test('nobody who reads the database can read a reply, or the key to it', async () => {
  const body = await begun()
  const { refreshToken, accessToken } = (await verify(body, KEY)).body
  const stored = JSON.stringify(await server.rows('first_replies'))
  for (const secret of [KEY, refreshToken, accessToken, body.email, body.otp]) expect(stored).not.toContain(secret)
})

test.runIf(engines.includes('postgres'))(
  'a repeat waits for the first one at a process whose clock is half a minute ahead, too',
  async () => {
    const body = await begun()
    const calls: Promise<Reply<SignedIn>>[] = []
    await server.deps.db.transaction(async (tx) => {
      await tx.execute('lock table sessions in exclusive mode')
      calls.push(verify(body, KEY))
      await expect.poll(async () => (await server.rows('first_replies')).some(({ sealed }) => sealed === null)).toBe(true)
      clock.forward(30)
      calls.push(verify(body, KEY))
      await Promise.race([calls[1], pause(500)])
    })
    const [first, repeat] = await Promise.all(calls)
    expect(first?.status).toBe(200)
    expect(repeat?.body).toEqual(first?.body)
  },
)

/** Makes what is stored that much older, by the database's clock. */
const age = (seconds: number) =>
  server.deps.db.execute(sql`update first_replies set created_at = created_at - make_interval(secs => ${seconds})`)

test('it is kept for ten minutes', async () => {
  const body = await begun()
  const first = await verify(body, KEY)
  await age(570)
  await deleteOldReplies(server.deps.db)
  expect((await verify(body, KEY)).body).toEqual(first.body)
  await age(31)
  await deleteOldReplies(server.deps.db)
  expect(await server.rows('first_replies')).toEqual([])
  expect((await verify(body, KEY)).status).toBe(401)
})

test('a request whose process was killed holds up its repeat for 20 s at most', async () => {
  const { db } = server.deps
  const asked = { key: KEY, request: ['killed'] }
  void repliedOnce(db, asked, () => new Promise(() => undefined))
  await expect.poll(() => server.rows('first_replies')).toHaveLength(1)
  await age(21)
  expect(await repliedOnce(db, asked, async () => ({ done: true }))).toEqual({ done: true })
})

test('a repeat waits for the first one, and is refused with 503 if that takes long', async () => {
  const { db } = server.deps
  const asked = { key: KEY, request: ['slow'] }
  const repeat = () => repliedOnce(db, asked, async () => 'twice')
  let end = (_reply: unknown) => {}
  const carriedOut = new Promise((resolve) => (end = resolve))
  const first = repliedOnce(db, asked, () => carriedOut)
  await expect.poll(async () => (await server.rows('first_replies')).some(({ sealed }) => sealed === null)).toBe(true)
  // no crowd of repeats waits with it
  const crowd = await Promise.allSettled(Array.from({ length: 20 }, repeat))
  expect(crowd.every(({ status }) => status === 'rejected')).toBe(true)
  await expect(repeat()).rejects.toThrow(Refused)
  const waiting = repeat()
  end({ done: 1 })
  expect(await first).toEqual({ done: 1 })
  expect(await waiting).toEqual({ done: 1 })
})

test('calls that work once are replied once', () => {
  const once = everyEndpoint().flatMap(([name, { isRepliedOnce }]) => (isRepliedOnce ? [name] : []))
  expect(once.toSorted()).toEqual(['auth.sendOtp', 'auth.verifyOtp', 'instances.reclaim', 'instances.resend', 'pictures.finalize'])
})
