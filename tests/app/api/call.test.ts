import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { sessionPort } from '#app/api/session-port.ts'
import { call } from '#app/api/call.ts'
import { serverNow } from '#app/api/server-clock.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { FOREIGN_WAIT_MAXIMUM_MS } from '#app/constants.ts'
import { auth } from '#contract/auth.ts'
import { instances } from '#contract/instances.ts'
import { reference } from '#contract/reference.ts'
import { users } from '#contract/users.ts'

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })
const page = (status = 200) => new Response('<html>Sign in to Wi-Fi</html>', { status, headers: { 'content-type': 'text/html' } })
const refusal = (code: string, status: number) => json({ code, message: `said ${code}`, requestId: 'r' }, status)
const noInstances = { data: [] }

type Reply = () => Response | Promise<Response>
let requests: { url: string; init: RequestInit }[]
let token: string | undefined
let storedUserId = 'u'
let waitForToken: () => Promise<void>
let renew: ReturnType<typeof vi.fn<(refused: string) => Promise<boolean>>>

/** Sends these replies in turn, the last one for ever. Health probes, which failures cause, are not counted. */
function server(...replies: Reply[]): void {
  requests = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.endsWith('/health')) throw new TypeError('no probe here')
    requests.push({ url, init })
    const reply = replies[Math.min(requests.length, replies.length) - 1]
    if (!reply) throw new Error('No reply is left')
    return reply()
  })
}

const headersOf = (at = 0) => new Headers(requests[at]?.init.headers)

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('It did not fail')
}

beforeEach(() => {
  token = 'first'
  storedUserId = 'u'
  waitForToken = async () => undefined
  renew = vi.fn(async () => false)
  sessionPort.provide({
    token: async () => {
      await waitForToken()
      return token
    },
    storedToken: () => token,
    userId: () => 'u',
    storedUserId: () => storedUserId,
    hasSignedOut: () => false,
    noteAccepted: () => undefined,
    renew,
    subscribe: () => () => undefined,
  })
})

describe('a request', () => {
  test('has its method, address, bearer token, language and app version', async () => {
    server(() => json(noInstances))
    await call(instances.list, { query: { status: 'OWNED' } }, { language: 'fr' })
    expect(requests[0]?.url).toBe('/api/assessment/assessment-instance?status=OWNED')
    expect(requests[0]?.init.method).toBe('GET')
    expect(headersOf().get('authorization')).toBe('Bearer first')
    expect(headersOf().get('accept-language')).toBe('fr')
    expect(headersOf().get('x-touchline-app')).toBe('1')
  })

  test('has no authorization header without a token', async () => {
    token = undefined
    server(() => json(noInstances))
    await call(instances.list)
    expect(headersOf().has('authorization')).toBe(false)
  })

  test('that waits for a new token is not sent as somebody else who signs in meanwhile (ANSWERS-9)', async () => {
    server(() => json(noInstances))
    waitForToken = async () => {
      token = 'of somebody else'
      storedUserId = 'v'
    }
    expect(await failureOf(call(instances.list))).toMatchObject({ kind: 'FETCH_ERROR' })
    expect(requests).toEqual([])
  })

  test('is not sent as somebody else, of whose sign-in in another tab this one has not heard (ANSWERS-9)', async () => {
    server(() => json(noInstances))
    storedUserId = 'v'
    expect(await failureOf(call(instances.list))).toMatchObject({ kind: 'FETCH_ERROR' })
    expect(requests).toEqual([])
  })

  test('that was prepared for somebody is not sent as the next person (ANSWERS-9)', async () => {
    server(() => json(noInstances))
    expect(await failureOf(call(instances.list, {}, { userId: 'before' }))).toMatchObject({ kind: 'FETCH_ERROR' })
    expect(requests).toEqual([])
    await call(instances.list, {}, { userId: 'u' })
    expect(requests).toHaveLength(1)
  })

  test('carries no credentials if it is a public read, so that the service worker may store the reply', async () => {
    server(() => json({ countries: [] }))
    await call(reference.countries)
    expect(requests[0]?.url).toBe('/api/reference-data/country')
    expect(headersOf().has('authorization')).toBe(false)
    expect(requests[0]?.init.cache).toBeUndefined()
  })

  test('has escaped path parameters, and no body if that is empty', async () => {
    server(() => json({}))
    await failureOf(call(instances.get, { params: { instanceId: 'a/b' } }))
    expect(requests[0]?.url).toBe('/api/assessment/assessment-instance/a%2Fb')
    expect(requests[0]?.init.body).toBeUndefined()
  })
})

describe('a reply', () => {
  test('is parsed by the schema of its endpoint, and undefined for a 204', async () => {
    server(() => json({ ...noInstances, more: 1 }))
    expect(await call(instances.list)).toEqual(noInstances)
    server(() => new Response(null, { status: 204 }))
    expect(await call(auth.logout)).toBeUndefined()
  })

  test.each<[string, Reply]>([
    ['a captive portal’s page', () => page()],
    ['a body cut off', () => new Response('{"data": [', { headers: { 'content-type': 'application/json' } })],
    ['JSON that is not this reply', () => json({ hello: 1 })],
  ])('%s fails as PARSING_ERROR', async (_, reply) => {
    server(reply)
    expect((await failureOf(call(instances.list))).kind).toBe('PARSING_ERROR')
  })

  test.each<[string, string, Record<string, string>, string]>([
    ['an empty file', '', {}, 'PARSING_ERROR'],
    ['a file that ends after its first line', '%PDF-1.7\n1 0 obj', {}, 'PARSING_ERROR'],
    ['a page that is called a file', '<html>Sign in to Wi-Fi</html>', {}, 'PARSING_ERROR'],
    ['a file of another type', '%PDF-1.7\n%%EOF\n', { 'content-type': 'text/html' }, 'PARSING_ERROR'],
    ['a file shorter than it says', '%PDF-1.7\n%%EOF\n', { 'content-length': '9000' }, 'FETCH_ERROR'],
  ])('%s is rejected', async (_, body, headers, kind) => {
    server(() => new Response(body, { headers: { 'content-type': 'application/pdf', ...headers } }))
    expect((await failureOf(call(instances.report, { params: { instanceId: 'i' } }))).kind).toBe(kind)
  })

  test.each(['application/pdf', 'application/pdf; charset=utf-8'])(
    'of a complete file is its bytes, also as a proxy names its type: %s',
    async (type) => {
      const body = '%PDF-1.7\n%%EOF\n'
      server(() => new Response(body, { headers: { 'content-type': type, 'content-length': String(body.length) } }))
      expect(await call(instances.report, { params: { instanceId: 'i' } })).toEqual(new TextEncoder().encode(body))
    },
  )

  test('a call without a reply fails as FETCH_ERROR, one with a late reply as TIMEOUT_ERROR', async () => {
    server(() => Promise.reject(new TypeError('Failed to fetch')))
    expect((await failureOf(call(instances.list))).kind).toBe('FETCH_ERROR')
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      return new Promise((_resolve, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    })
    expect((await failureOf(call(instances.list, undefined, { timeoutMs: 20 }))).kind).toBe('TIMEOUT_ERROR')
  })

  /** Begins, and then ends or stays as `then` has it. */
  const cutReply = (then: (body: ReadableStreamDefaultController) => void, type = 'application/json', status = 200) => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(type === 'application/json' ? '{"data": [' : '%PDF-1.7'))
        then(controller)
      },
    })
    return new Response(body, { status, headers: { 'content-type': type } })
  }
  const breaks = (body: ReadableStreamDefaultController) => body.error(new TypeError('network error'))

  test.each(['application/json', 'application/pdf'])(
    'whose line breaks within its body (%s) is no foreign one: FETCH_ERROR',
    async (type) => {
      server(() => cutReply(breaks, type))
      const failed = type === 'application/json' ? call(instances.list) : call(instances.report, { params: { instanceId: 'i' } })
      expect((await failureOf(failed)).kind).toBe('FETCH_ERROR')
    },
  )

  test.each(['application/json', 'application/pdf'])('whose body (%s) comes to a halt fails as TIMEOUT_ERROR', async (type) => {
    server(() => cutReply(() => undefined, type))
    const late = { timeoutMs: 20 }
    const failed =
      type === 'application/json' ? call(instances.list, undefined, late) : call(instances.report, { params: { instanceId: 'i' } }, late)
    expect((await failureOf(failed)).kind).toBe('TIMEOUT_ERROR')
  })

  test('with an error status whose line breaks within its body has no code', async () => {
    server(() => cutReply(breaks, 'application/json', 409))
    const failure = await failureOf(call(instances.list))
    expect([failure.kind, failure.status, failure.code]).toEqual(['HTTP', 409, undefined])
  })

  test('a call that is cancelled within the body rejects with the reason', async () => {
    const control = new AbortController()
    server(() => cutReply(() => control.abort(new DOMException('gone', 'AbortError'))))
    await expect(call(instances.list, undefined, { signal: control.signal })).rejects.toThrow('gone')
  })

  test('a cancelled call rejects with the reason of its cancellation', async () => {
    const control = new AbortController()
    server(() => Promise.reject(control.signal.reason))
    control.abort(new DOMException('gone', 'AbortError'))
    await expect(call(instances.list, undefined, { signal: control.signal })).rejects.toThrow('gone')
  })

  test('a refusal has a status and a code; an HTML page with an error status has no code', async () => {
    server(() => refusal('NOT_FOUND', 404))
    const found = await failureOf(call(instances.list))
    expect([found.kind, found.status, found.code, found.isTransient]).toEqual(['HTTP', 404, 'NOT_FOUND', false])
    server(() => page(502))
    const proxy = await failureOf(call(instances.list))
    expect([proxy.kind, proxy.status, proxy.code, proxy.isTransient]).toEqual(['HTTP', 502, undefined, true])
  })

  test('Retry-After and a 426 are read from the reply', async () => {
    server(() => json({ code: 'TOO_MANY_REQUESTS', message: '', requestId: '' }, 429, { 'retry-after': '7' }))
    expect((await failureOf(call(instances.list))).retryAfterSeconds).toBe(7)
    server(() => refusal('UPDATE_REQUIRED', 426))
    await failureOf(call(instances.list))
    expect(updateRequired.get()).toBe(true)
    // the next reply of the API clears it, but not a public read, which the worker may have stored
    server(() => json({ data: [{ id: 'soccer', name: 'Soccer' }] }))
    await call(reference.sports)
    expect(updateRequired.get()).toBe(true)
    // nor a sign-out, which is heard from any version
    server(() => new Response(null, { status: 204 }))
    await call(auth.logout)
    expect(updateRequired.get()).toBe(true)
    server(() => json(noInstances))
    await call(instances.list)
    expect(updateRequired.get()).toBe(false)
  })

  test("a reply that is not our server's sets no long wait, no clock and no update notice", async () => {
    const date = 'Tue, 01 Jan 2030 00:00:00 GMT'
    for (const [body, status] of [
      [{ login: 'required' }, 511] as const,
      [{ message: 'Upgrade Required' }, 426] as const,
      [{}, 200] as const,
    ]) {
      server(() => json(body, status, { date, 'retry-after': '86400' }))
      const failure = await failureOf(call(instances.list))
      expect(failure.retryAfterSeconds ?? 0).toBeLessThanOrEqual(FOREIGN_WAIT_MAXIMUM_MS / 1000)
      expect(updateRequired.get()).toBe(false)
      expect(new Date(serverNow()).getFullYear()).toBeLessThan(2030)
    }
    // a proxy may name a time instead of seconds, and its clock counts
    server(() => json({}, 503, { date: 'Tue, 01 Jan 2030 00:00:00 GMT', 'retry-after': 'Tue, 01 Jan 2030 00:00:45 GMT' }))
    expect((await failureOf(call(instances.list))).retryAfterSeconds).toBe(45)
    // a proxy in front of the server may ask for a moment
    server(() => json({}, 503, { 'retry-after': '30' }))
    expect((await failureOf(call(instances.list))).retryAfterSeconds).toBe(30)
  })
})

describe('a reply of 401', () => {
  test('renews the session once and repeats the call with the new token', async () => {
    renew.mockImplementation(async () => {
      token = 'second'
      return true
    })
    server(
      () => refusal('INVALID_TOKEN', 401),
      () => json(noInstances),
    )
    expect(await call(instances.list)).toEqual(noInstances)
    expect(renew.mock.calls).toEqual([['first']])
    expect(headersOf(1).get('authorization')).toBe('Bearer second')
  })

  test('is passed on when the repeated call gets it again', async () => {
    renew.mockResolvedValue(true)
    server(() => refusal('INVALID_TOKEN', 401))
    expect((await failureOf(call(instances.list))).status).toBe(401)
    expect(requests).toHaveLength(2)
  })

  test('is not repeated as somebody else who has signed in meanwhile (ANSWERS-9)', async () => {
    renew.mockImplementation(async () => {
      token = 'of somebody else'
      storedUserId = 'v'
      return true
    })
    server(() => json({ code: 'INVALID_TOKEN', message: '', requestId: '' }, 401))
    expect(await failureOf(call(instances.list))).toMatchObject({ status: 401 })
    expect(requests).toHaveLength(1)
  })

  test('is not repeated as somebody else who signs in while the repeated call waits for a token (ANSWERS-9)', async () => {
    renew.mockImplementation(async () => {
      waitForToken = async () => {
        token = 'of somebody else'
        storedUserId = 'v'
      }
      return true
    })
    server(() => json({ code: 'INVALID_TOKEN', message: '', requestId: '' }, 401))
    expect(await failureOf(call(instances.list))).toMatchObject({ status: 401 })
    expect(requests).toHaveLength(1)
  })

  test('is passed on when the session cannot be renewed, and for calls that anyone may make', async () => {
    server(() => refusal('INVALID_TOKEN', 401))
    await failureOf(call(instances.list))
    expect(requests).toHaveLength(1)
    server(() => refusal('INVALID_CODE', 401))
    const wrong = await failureOf(call(auth.verifyOtp, { body: { session: 's', email: 'a@b.test', otp: '12345678' } }))
    expect(wrong.code).toBe('INVALID_CODE')
    expect(renew).toHaveBeenCalledTimes(1)
  })

  test.each(['INVALID_CODE', 'CODE_EXPIRED', 'CODE_EXHAUSTED'])(
    'with %s is about the typed code: the call is not repeated and the session not renewed',
    async (code) => {
      renew.mockResolvedValue(true)
      server(() => refusal(code, 401))
      const wrong = await failureOf(call(users.deactivate, { params: { id: 'u' }, body: { session: 's', otp: '12345678' } }))
      expect(wrong.code).toBe(code)
      expect([requests.length, renew.mock.calls.length]).toEqual([1, 0])
    },
  )

  test('without a code, from a proxy, renews the session, as the token may be the reason', async () => {
    renew.mockResolvedValue(true)
    server(
      () => json({}, 401),
      () => json(noInstances),
    )
    expect(await call(instances.list)).toEqual(noInstances)
  })
})
