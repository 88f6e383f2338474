import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { APP_VERSION, APP_VERSION_HEADER } from '#contract/constants.ts'
import { ask } from '#tests/support/person.ts'
import { givenServer, startServer } from '#tests/support/start-server.ts'

const server = givenServer({ env: { REQUEST_TIMEOUT_SECONDS: '1', MINIMUM_APP_VERSION: '1' } })

const start = (body: unknown, headers: Record<string, string> = {}) => ask(server, 'POST', 'user/auth/initiate', { body, headers })

/** What the server sends back for these bytes, even if they are not valid HTTP. */
async function wire(bytes: string): Promise<string> {
  const { port } = new URL(server.address)
  const socket = connect(Number(port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

test('a key repeated in a text or in two objects is accepted', async () => {
  const reply = await start('{"email":"\\"email\\": x","userTypeCode":"player"}')
  expect(reply.body.code).toBe('INVALID_EMAIL')
  const twice = await start('{"email":[{"a":1},{"a":2}]}')
  expect(twice.body.code).not.toBe('INVALID_JSON')
})

test.each(['null', '[]', '"x"', '1', 'true'])('a body of %s is INVALID_INPUT', async (body) => {
  const reply = await start(body)
  expect([reply.status, reply.body.code]).toEqual([400, 'INVALID_INPUT'])
})

test.each([
  ['unknown fields', (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]))],
  ['wrong elements', (count: number) => ({ email: 'a@b.test', userTypeCode: 'player', devices: Array.from({ length: count }, () => 1) })],
])('of many %s a refusal names a hundred or so, and too many are not looked at', async (_what, body) => {
  const some = await start(body(10_000))
  expect(some.status).toBe(400)
  expect(Object.keys(some.body['fields'] ?? {}).length).toBeLessThan(110)
  const many = await start(body(70_000))
  expect([many.status, many.body.code]).toEqual([413, 'TOO_LARGE'])
})

test('INPUT-65: another method is 405, and names those allowed', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
    const reply = await ask(server, method, 'user/auth/initiate')
    expect([reply.status, reply.body.code, reply.headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'POST'])
  }
  for (const method of ['TRACE', 'PROPFIND', 'FOO']) {
    expect(await wire(`${method} /api/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 405 /)
  }
})

test('INPUT-66: a body that does not arrive is 408', async () => {
  const text = await wire(
    'POST /api/user/auth/initiate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"em',
  )
  expect(text).toMatch(/^HTTP\/1.1 408 /)
  expect(text).toContain('REQUEST_TIMEOUT')
})

test('headers that are too long are refused, and so is text that is not HTTP', async () => {
  expect(await wire(`GET /api/health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1.1 413 /)
  expect(await wire('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 40[05] /)
})

test('an unknown query parameter is refused, and so is a malformed path', async () => {
  expect((await ask(server, 'GET', 'health?x=1')).body.code).toBe('UNKNOWN_FIELD')
  expect((await ask(server, 'GET', '%E0%A4%A')).status).toBe(400)
})

test('the version of a portal is checked if it sends one', async () => {
  expect((await ask(server, 'GET', 'settings', { headers: { [APP_VERSION_HEADER]: String(APP_VERSION) } })).status).toBe(200)
  expect((await ask(server, 'GET', 'settings', { headers: { [APP_VERSION_HEADER]: '0' } })).status).toBe(426)
  // health replies to every version
  expect((await ask(server, 'GET', 'health', { headers: { [APP_VERSION_HEADER]: '0' } })).status).toBe(200)
})

test('every refusal has the same shape, and a request id that the server made', async () => {
  const { body, headers } = await ask(server, 'GET', 'nothing', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })
  expect(Object.keys(body)).toEqual(['code', 'message', 'requestId'])
  expect(body.requestId).toBe(headers.get('x-request-id'))
  expect(body.requestId).not.toBe('mine')
})

test('SECURITY-7: every reply has the security headers, even a refusal, and none names the server’s software', async () => {
  for (const path of ['health', 'nothing', 'user/x']) {
    const { headers } = await ask(server, 'GET', path)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('permissions-policy')).toBe(
      'camera=(), geolocation=(), microphone=(), usb=(), payment=(self "https://js.stripe.com")',
    )
    expect(headers.get('strict-transport-security')).toBeNull()
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin']) expect(headers.get(name)).toBeNull()
  }
})

test('SECURITY-7: a refusal before routing has the same headers as any other', async () => {
  const namesOf = (headers: Headers) => [...headers.keys()].filter((name) => name !== 'vary').toSorted()
  const valuesOf = (headers: Headers) => ['content-security-policy', 'permissions-policy'].map((name) => headers.get(name))
  const usual = await ask(server, 'GET', 'nothing')
  for (const path of ['%', '%zz', '%ED%A0%80', `user/${'x'.repeat(600)}`]) {
    const { status, body, headers } = await ask(server, 'GET', path)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(body.requestId).toBe(headers.get('x-request-id'))
    expect(namesOf(headers)).toEqual(namesOf(usual.headers))
    expect(valuesOf(headers)).toEqual(valuesOf(usual.headers))
  }
})

test.each([
  ['an unknown method', 405, 'FOO /api/health HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['headers that are too long', 413, `GET /api/health HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
  ['another protocol', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['no host', 400, 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
])('SECURITY-7: the refusal of %s has the same headers as any other, and its shape', async (_what, status, bytes) => {
  const text = await wire(bytes)
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  const refusal: unknown = JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
  expect(refusal).toEqual({ code: expect.any(String), message: expect.any(String), requestId: expect.any(String) })
  const usual = await ask(server, 'GET', 'nothing')
  for (const [name, value] of usual.headers) {
    if (/^(x-request-id|content-length|date|connection|keep-alive|vary|allow)$/.test(name)) continue
    expect(text.toLowerCase()).toContain(`\r\n${name}: ${value}\r\n`.toLowerCase())
  }
})

test('SECURITY-7: the refusal of an unknown Expect header has the same headers, too', async () => {
  const text = await wire('GET /api/health HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n')
  expect(text).toMatch(/^HTTP\/1.1 200 /)
  expect(text).toContain('\r\npermissions-policy: ')
})

describe('another origin', () => {
  test('may call only if the settings name it', async () => {
    const open = await startServer({ env: { PORTAL_ORIGINS: 'https://portal.test' } })
    const preflight = (origin: string) => ask(open, 'OPTIONS', 'health', { headers: { origin, 'access-control-request-method': 'GET' } })
    expect((await preflight('https://portal.test')).headers.get('access-control-allow-origin')).toBe('https://portal.test')
    expect((await preflight('https://evil.test')).headers.get('access-control-allow-origin')).toBeNull()
    const reply = await ask(open, 'GET', 'health', { headers: { origin: 'https://portal.test' } })
    expect(reply.headers.get('access-control-allow-origin')).toBe('https://portal.test')
    await open.close()
  })
})

test('SECURITY-17: a stop completes running calls, and accepts no new ones', async () => {
  const stopping = await startServer()
  const body = JSON.stringify({ email: 'late@club.test', userTypeCode: 'player' })
  const socket = connect(Number(new URL(stopping.address).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  const head = `POST /api/user/auth/initiate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head + body.slice(0, 10))
  await ask(stopping, 'GET', 'health')
  const stopped = stopping.close()
  socket.write(body.slice(10))
  await stopped
  expect(text).toMatch(/^HTTP\/1.1 200 /)
  await expect(ask(stopping, 'GET', 'health')).rejects.toThrow('fetch failed')
})

test('an internal error is INTERNAL, without its message', async () => {
  const broken = await startServer()
  await broken.deps.db.execute('alter table assessments rename to gone')
  const { status, body, text } = await ask(broken, 'GET', 'assessment', { bearer: broken.deps.keys.operatorKey })
  expect([status, body.code]).toEqual([500, 'INTERNAL'])
  expect(text).not.toMatch(/gone|relation|select|stack/i)
  await broken.close()
})

test('the OpenAPI document and its page are served', async () => {
  const { body } = await ask<{ openapi: string; paths: Record<string, object> }>(server, 'GET', 'openapi.json')
  expect(body.openapi).toBe('3.1.0')
  expect(Object.keys(body.paths)).toContain('/assessment/assessment-instance/{instanceId}')
  expect((await ask(server, 'GET', 'docs/')).text).toContain('swagger')
})
