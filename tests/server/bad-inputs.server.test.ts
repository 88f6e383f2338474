import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { APP_VERSION, APP_VERSION_HEADER } from '#contract/constants.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { hashOfAllRows } from '#tests/support/every-row.ts'
import { ask, signIn, type Reply, type Person } from '#tests/support/person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { team } from './users/support.ts'
import { filesBelow, stringsIn } from '../house/source-files.ts'

/**
 * The bad inputs of docs/requirements.md (INPUT-1 to INPUT-74), numbered as there. A request with one reply is in the
 * table here; what takes time, several calls, another program or the portal is in the test that the table names.
 */

interface World {
  server: TestServer
  player: Person
  instanceId: string
  /** a sign-in that waits for its code */
  session: string
}

interface Bad {
  what: string
  method: string
  path: string | ((world: World) => string)
  body?: unknown
  headers?: Record<string, string>
  /** nobody's credentials */
  isGuest?: true
  reply: [status: number, code: ErrorCode, message?: string]
}

const start = (what: string, body: unknown, code: ErrorCode, message?: string): Bad => ({
  what,
  method: 'POST',
  path: 'user/auth/initiate',
  body,
  isGuest: true,
  reply: [400, code, ...(message === undefined ? [] : [message])] as Bad['reply'],
})
const email = (what: string, address: unknown) =>
  start(what, { email: address, userTypeCode: 'player' }, 'INVALID_EMAIL', 'Please enter a valid email address.')
const code = (what: string, otp: unknown): Bad => ({
  what,
  method: 'POST',
  path: 'user/auth/verify-otp',
  body: ({ session }: World) => ({ session, email: 'waiting@club.test', otp }),
  isGuest: true,
  reply: [400, 'INVALID_CODE_FORMAT'],
})
const authorization = (what: string, header: string): Bad => ({
  what,
  method: 'GET',
  path: ({ player }) => `user/${player.userId}`,
  headers: { authorization: Buffer.from(header).toString('latin1') },
  isGuest: true,
  reply: [401, 'INVALID_TOKEN'],
})
const profile = (what: string, body: unknown, errorCode: ErrorCode, message?: string): Bad => ({
  what,
  method: 'PATCH',
  path: ({ player }) => `user/${player.userId}`,
  body,
  reply: [400, errorCode, ...(message === undefined ? [] : [message])] as Bad['reply'],
})
const answers = (what: string, responses: unknown[], status: number, errorCode: ErrorCode): Bad => ({
  what,
  method: 'POST',
  path: 'assessment/assessment-instance/responses',
  body: ({ instanceId }: World) => ({ instanceId, responses }),
  reply: [status, errorCode],
})
const pair = (id: string, answer: string | null) => ({ sectionName: 'Section2', id, answer })
const ranking = (values: (string | null)[]) => values.map((answer, i) => ({ sectionName: 'Section1', id: `s1-q01-${'abcd'[i]}`, answer }))
const price = (what: string, priceId: string): Bad => ({
  what,
  method: 'POST',
  path: `assessment/checkout/${encodeURIComponent(priceId)}`,
  reply: [400, 'INVALID_PRICE'],
})
const json = (what: string, body: string): Bad => start(what, body, 'INVALID_JSON')
const query = (what: string, text: string, errorCode: ErrorCode): Bad => ({
  what,
  method: 'GET',
  path: `assessment${text}`,
  reply: [400, errorCode],
})
const media = (type: string): Bad => ({
  ...start(JSON.stringify(type), '{"email":"a@b.test","userTypeCode":"player"}', 'UNSUPPORTED_MEDIA_TYPE'),
  headers: { 'content-type': type },
  reply: [415, 'UNSUPPORTED_MEDIA_TYPE'],
})
const unknown = (path: string): Bad => ({ what: path, method: 'GET', path, reply: [404, 'NOT_FOUND'] })
const version = (value: string): Bad => ({
  what: value,
  method: 'GET',
  path: 'settings',
  headers: { [APP_VERSION_HEADER]: value },
  isGuest: true,
  reply: [426, 'UPDATE_REQUIRED'],
})

const sentence = 'First name is required'
const deep = `${'['.repeat(100)}${']'.repeat(100)}`

const HERE: Record<number, Bad[]> = {
  1: [email('no domain', 'a@'), email('nothing', ''), email('a space', 'a b@c.test'), email('a number', 1), email('null', null)],
  2: [email('two by comma', 'a@b.test, c@d.test'), email('two by semicolon', 'a@b.test;c@d.test')],
  3: [email('CR and LF', 'a@b.test\r\nBcc: c@d.test'), email('LF', 'a\n@b.test')],
  4: [email('a full-width @', 'a＠b.test'), email('a full-width letter', 'ａ@b.test')],
  5: [email('320 characters', `${'a'.repeat(310)}@club.test`)],
  6: [start('admin', { email: 'a@b.test', userTypeCode: 'admin' }, 'INVALID_USER_TYPE')],
  9: [
    code('seven digits', '1234567'),
    code('nine digits', '123456789'),
    code('letters', 'abcdefgh'),
    code('Arabic digits', '١٢٣٤٥٦٧٨'),
    code('a space', '1234567 '),
    code('a number', 12_345_678),
  ],
  18: [
    authorization('8 kB', `Bearer ${'a'.repeat(8192)}`),
    authorization('no scheme', 'abc'),
    authorization('another scheme', 'Basic YTpi'),
    authorization('empty', 'Bearer '),
    authorization('two', 'Bearer a b'),
    authorization('dots', 'Bearer ....'),
    authorization('not base64', 'Bearer a.é.c'),
  ],
  22: [
    profile('blank', { firstName: ' ' }, 'INVALID_INPUT', sentence),
    profile('null', { firstName: null }, 'INVALID_INPUT', sentence),
    profile('a number', { firstName: 1 }, 'INVALID_INPUT', sentence),
  ],
  23: [
    profile('5,000 characters', { firstName: 'x'.repeat(5000) }, 'INVALID_NAME'),
    profile('NUL', { firstName: 'a\u0000b' }, 'INVALID_NAME'),
    profile('a direction override', { lastName: 'a\u202Eb' }, 'INVALID_NAME'),
    profile('only what nobody sees', { firstName: '\u200B\u2060' }, 'INVALID_NAME'),
    profile('two lines', { lastName: 'a\u2028b' }, 'INVALID_NAME'),
    profile('a lone surrogate', '{"firstName":"a\\ud800"}', 'INVALID_NAME'),
  ],
  25: [
    profile('day 15', { birthDate: '2008-02-15' }, 'INVALID_BIRTH_DATE'),
    profile('month 13', { birthDate: '2008-13-01' }, 'INVALID_BIRTH_DATE'),
    profile('1900', { birthDate: '1900-02-01' }, 'INVALID_BIRTH_DATE'),
    profile('2090', { birthDate: '2090-02-01' }, 'INVALID_BIRTH_DATE'),
  ],
  26: [
    profile('of another country', { countryId: 'France', cityId: 'Toronto' }, 'INVALID_CITY'),
    profile('without a country', { cityId: 'Lyon' }, 'INVALID_CITY'),
    profile('of no country', { countryId: 'Atlantis' }, 'INVALID_COUNTRY'),
  ],
  27: [profile('tennis', { sport: { id: 'tennis', name: 'Tennis' } }, 'INVALID_INPUT')],
  28: [
    profile('totalTokens', { totalTokens: 5 }, 'UNKNOWN_FIELD'),
    profile('userTypeCode', { userTypeCode: 'coach' }, 'UNKNOWN_FIELD'),
    profile('in a team', { teams: [{ ...team, owner: 'me' }] }, 'UNKNOWN_FIELD'),
  ],
  41: [
    answers('a rating of 5', ranking(['5', null, null, null]), 400, 'INVALID_ANSWER'),
    answers('"1e0"', ranking(['1e0', null, null, null]), 400, 'INVALID_ANSWER'),
    answers('a third option', [pair('s2-q01', 'C')], 400, 'INVALID_ANSWER'),
    answers('an answer of 10,000 characters', [pair('s2-q01', 'A'.repeat(10_000))], 400, 'INVALID_ANSWER'),
  ],
  42: [answers('two equal ratings', ranking(['1', '1', null, null]), 400, 'DUPLICATE_RATING')],
  43: [
    answers('a question', [pair('s2-q99', 'A')], 400, 'UNKNOWN_QUESTION'),
    answers('a section', [{ sectionName: 'Section9', id: 's2-q01', answer: 'A' }], 400, 'UNKNOWN_QUESTION'),
    answers('a question of another section', [{ sectionName: 'Section3', id: 's2-q01', answer: 'A' }], 400, 'UNKNOWN_QUESTION'),
  ],
  47: [
    answers(
      '10,000 answers',
      Array.from({ length: 10_000 }, () => pair('s2-q01', 'A')),
      413,
      'TOO_LARGE',
    ),
  ],
  52: [
    price('none of ours', 'price_none'),
    price('a word', 'free'),
    price('SQL', "' or 1=1 --"),
    price('400 characters', 'a'.repeat(400)),
    // a path with it names nothing, as everywhere
    { ...price('NUL', 'price\0'), reply: [404, 'NOT_FOUND'] },
    price('JSON', '{"id":1}'),
  ],
  62: [
    json('broken', '{"email":'),
    json('a key twice', '{"email":"a@b.test","email":"c@d.test","userTypeCode":"player"}'),
    json('a key twice, escaped', '{"email":"a@b.test","\\u0065mail":"c@d.test","userTypeCode":"player"}'),
    json('a key twice, nested', '{"email":{"x":1,"x":2}}'),
    json('__proto__', '{"email":"a@b.test","__proto__":{"userTypeCode":"player"}}'),
    json('__proto__, escaped', '{"\\u005f_proto__":1}'),
    json('depth 100', `{"email":${deep}}`),
    json('nothing', ''),
    json('a byte order mark in the middle', '{"a"\uFEFF:1}'),
  ],
  63: [
    query('twice', '?page=1&page=2', 'INVALID_INPUT'),
    query('twice, escaped', '?page=1&p%61ge=2', 'INVALID_INPUT'),
    query('unknown', '?pages=1', 'UNKNOWN_FIELD'),
    query('__proto__', '?__proto__=1', 'UNKNOWN_FIELD'),
    query('out of bounds', '?page=0', 'INVALID_INPUT'),
    query('1e2', '?limit=1.5', 'INVALID_INPUT'),
  ],
  64: ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', ''].map(media),
  67: [{ ...start('2 MB', JSON.stringify({ email: 'a'.repeat(2_000_000) }), 'TOO_LARGE'), reply: [413, 'TOO_LARGE'] }],
  68: ['nothing', 'assessment/a/b/c', '..%2f..%2fetc', 'user/%00', `user/${'x'.repeat(400)}`].map(unknown),
  74: ['0', '-1', 'nonsense'].map(version),
}

const signIns = 'tests/server/auth/sign-in.server.test.ts'
const sessions = 'tests/server/auth/session.server.test.ts'
const ownProfile = 'tests/server/users/profile.server.test.ts'
const toResult = 'tests/server/instances/complete.server.test.ts'
const allocating = 'tests/server/instances/allocate.server.test.ts'
const afterAllocating = 'tests/server/instances/resend-reclaim.server.test.ts'
const portal = 'e2e/sign-in.e2e.ts'

/** [file, words of the test's title] */
const ELSEWHERE: Record<number, [string, string]> = {
  7: [signIns, 'INPUT-7: a second start within 60 s'],
  8: [signIns, 'INPUT-8: a mail server that refuses'],
  10: [signIns, 'INPUT-10, INPUT-11: four wrong codes'],
  11: [signIns, 'INPUT-10, INPUT-11: four wrong codes'],
  12: [signIns, 'INPUT-12: a code expires'],
  13: [signIns, 'INPUT-13: a code is valid only for its own sign-in'],
  14: [signIns, 'INPUT-14: a code works once'],
  15: [portal, 'INPUT-15: without a stored sign-in'],
  16: [sessions, 'INPUT-16, INPUT-17: no other token opens anything'],
  17: [sessions, 'INPUT-16, INPUT-17: no other token opens anything'],
  19: [sessions, 'INPUT-19: an older token ends the session'],
  20: ['tests/app/session/session.test.ts', 'a device clock that is %s changes nothing'],
  21: ['tests/app/session/expired.test.ts', 'an expired session stays known offline'],
  24: [ownProfile, 'INPUT-24: markup is text'],
  29: [ownProfile, 'INPUT-29: another user’s id in the path'],
  30: [portal, 'INPUT-30: without a user id'],
  31: [allocating, 'INPUT-31: a coach’s e-mail is refused'],
  32: [allocating, 'INPUT-32: and the coach’s own'],
  33: [allocating, 'INPUT-33: without a token'],
  34: [allocating, 'INPUT-34: an assessment that the player has not finished'],
  35: [allocating, 'INPUT-35: a double click'],
  36: [afterAllocating, 'INPUT-36: a completed one cannot be reclaimed'],
  37: [afterAllocating, 'INPUT-37: a second time is refused'],
  38: [afterAllocating, 'INPUT-38: another coach’s'],
  39: ['tests/server/instances/operator-and-coach.server.test.ts', 'INPUT-39'],
  40: [afterAllocating, 'INPUT-40: the sixth reminder is refused'],
  44: ['tests/server/instances/save-responses.server.test.ts', 'a blank is ignored'],
  45: [toResult, 'INPUT-45: a save after completion'],
  46: [toResult, 'INPUT-46: a reclaimed instance'],
  48: [toResult, 'INPUT-48, INPUT-49: with one answer missing'],
  49: [toResult, 'INPUT-48, INPUT-49: with one answer missing'],
  50: ['e2e/full-disk.e2e.ts', 'a disk that is full from the start is said aloud'],
  51: ['tests/server/tokens/purchase.server.test.ts', 'INPUT-51: refuses a quantity of %s'],
  53: ['tests/server/payments/checkout.server.test.ts', 'is refused for another user’s session'],
  54: ['tests/server/payments/webhook.server.test.ts', 'refuses, and changes nothing:'],
  55: ['tests/server/payments/webhook.server.test.ts', 'fulfils once if the same event arrives fifty times'],
  56: ['tests/app/checkout/checkout-session.test.ts', 'No client secret available'],
  57: ['tests/server/pictures/bad-pictures.server.test.ts', 'INPUT-57: not a JPEG, PNG or WebP'],
  58: ['tests/server/pictures/bad-pictures.server.test.ts', 'INPUT-58: too large'],
  59: ['tests/server/pictures/upload-address.server.test.ts', 'INPUT-59: a name like %j'],
  60: ['tests/server/pictures/upload-address.server.test.ts', 'INPUT-60: a foreign, used, unknown or expired key'],
  61: ['tests/server/pictures/bad-pictures.server.test.ts', 'INPUT-61: truncated'],
  65: ['tests/server/http/transport.server.test.ts', 'INPUT-65: another method is 405'],
  66: ['tests/server/http/transport.server.test.ts', 'INPUT-66: a body that does not arrive'],
  69: ['tests/server/db/open.server.test.ts', 'INPUT-69: is 503 with Retry-After'],
  70: [
    'tests/server/db/open.server.test.ts',
    'INPUT-70: calls that waited for a second are 503, and those that are worked on get their replies',
  ],
  71: ['tests/server/db/open.server.test.ts', 'INPUT-71: a second server refuses to start'],
  72: ['tests/server/db/open.server.test.ts', 'INPUT-72: one that was changed after it ran'],
  73: [signIns, 'INPUT-73: a server clock that jumps back an hour'],
}

test('every bad input of the requirements is tested once, here or elsewhere', () => {
  const rows = [...Object.keys(HERE).map(Number), ...Object.keys(ELSEWHERE).map(Number)]
  expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 74 }, (_, place) => place + 1))
  const files = new Set(['tests', 'e2e'].flatMap((folder) => filesBelow(folder)))
  const lost = Object.entries(ELSEWHERE).filter(
    ([, [file, title]]) => !files.has(file) || !stringsIn(file).some((text) => text.includes(title)),
  )
  expect(lost).toEqual([])
})

const rows = Object.entries(HERE).flatMap(([row, bads]) => bads.map((bad) => [row, bad.what, bad] as const))

describe('bad inputs', () => {
  let world: World
  beforeAll(async () => {
    const server = await startServer({ env: { MINIMUM_APP_VERSION: String(APP_VERSION) } })
    const player = await signIn(server, 'player@club.test')
    const body = { email: 'waiting@club.test', userTypeCode: 'player' }
    const { session } = (await ask<{ session: string }>(server, 'POST', 'user/auth/initiate', { body })).body
    world = { server, player, instanceId: await server.giveInstance(player), session }
  })
  afterAll(() => world.server.close())

  function send({ method, path, body, headers, isGuest }: Bad, language: string): Promise<Reply> {
    return ask(world.server, method, typeof path === 'string' ? path : path(world), {
      language,
      ...(isGuest ? {} : { bearer: world.player.accessToken }),
      ...(body === undefined ? {} : { body: typeof body === 'function' ? (body as (w: World) => unknown)(world) : body }), // one of ours above
      ...(headers ? { headers } : {}),
    })
  }

  test.each(rows)('INPUT-%s: %s', async (_row, _what, bad) => {
    const [status, errorCode, message] = bad.reply
    const before = await hashOfAllRows(world.server)
    const [english, french] = [await send(bad, 'en'), await send(bad, 'fr')]
    for (const one of [english, french]) {
      expect(one).toMatchObject({ status, body: { code: errorCode, message: expect.any(String), requestId: expect.any(String) } })
      expect(one.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(one.text).not.toMatch(/\bat \w+.*\.ts:|node_modules/)
    }
    if (message !== undefined) expect(english.body).toMatchObject({ message })
    expect((english.body as { message: string }).message).not.toBe((french.body as { message: string }).message) // refusals, by the lines above
    expect(await hashOfAllRows(world.server), 'nothing is kept').toEqual(before)
    expect((await ask(world.server, 'GET', 'health')).status, 'the server lives').toBe(200)
  })
})
