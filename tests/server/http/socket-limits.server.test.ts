import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { everyEndpoint } from '#contract/api.ts'
import { readEnv } from '#server/env.ts'
import { routeOf } from '#server/http/router.ts'
import { BODY_MAXIMUM, socketLimitsOf } from '#server/http/socket-limits.ts'
import { freePort } from '#tests/support/free-port.ts'
import { metricsOf } from '#tests/support/metrics.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const FILE_BYTES = 64 * 1024 * 1024
const POST = 'POST /api/user/auth/initiate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
const HEALTH = 'GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n'

let server: TestServer
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchline-files-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await writeFile(join(folder, 'large.bin'), Buffer.alloc(FILE_BYTES))
  server = await startServer({
    socketLimits: { headersMs: 1000, requestMs: 1000, idleMs: 500 },
  })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

interface Line {
  socket: Socket
  /** all that the server sent */
  received: () => string
  /** resolves once the server has closed it */
  closed: Promise<unknown>
}

async function lineTo(text: string, to: TestServer = server): Promise<Line> {
  const { hostname, port } = new URL(to.address)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (bytes) => (received += String(bytes)))
  // an ended connection may refuse what is still being sent
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return { socket, received: () => received, closed }
}

/** Goes on sending, a little at a time, for as long as the server lets it. */
function drip({ socket }: Line, bytes: string | Buffer): void {
  const timer = setInterval(() => socket.write(bytes), 50)
  socket.once('close', () => clearInterval(timer))
}

describe('OPERATE-25: a connection is closed', () => {
  test('whose headers do not end', async () => {
    const line = await lineTo('GET /api/health HTTP/1.1\r\nhost: x\r\nx: ')
    drip(line, 'a')
    await line.closed
    expect(line.received()).toMatch(/^HTTP\/1.1 408 [^]*REQUEST_TIMEOUT/)
  })

  test('that sends nothing', async () => {
    const line = await lineTo('')
    await line.closed
    expect(line.received()).toMatch(/^HTTP\/1.1 408 /)
  })

  test('whose body never ends, although it keeps sending', async () => {
    const line = await lineTo(`${POST}content-length: 100000\r\n\r\n`)
    drip(line, ' ')
    await line.closed
    expect(line.received()).toMatch(/^HTTP\/1.1 408 [^]*REQUEST_TIMEOUT/)
  })

  test.each([
    ['says that its body is too large', `content-length: ${BODY_MAXIMUM + 1}\r\n\r\n`, ' '],
    ['sends a body in parts without an end', 'transfer-encoding: chunked\r\n\r\n', `40000\r\n${' '.repeat(BODY_MAXIMUM / 4)}\r\n`],
  ])('that %s', async (_what, head, part) => {
    const line = await lineTo(POST + head)
    drip(line, part)
    await line.closed
    expect(line.received()).toMatch(/^HTTP\/1.1 413 [^]*TOO_LARGE/)
    expect(line.socket.bytesWritten).toBeLessThan(4 * BODY_MAXIMUM)
  })

  test('whose headers are too long', async () => {
    const line = await lineTo(`GET /api/health HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`)
    await line.closed
    expect(line.received()).toMatch(/^HTTP\/1.1 413 [^]*TOO_LARGE/)
  })

  test('that stays idle after its reply', async () => {
    const line = await lineTo(HEALTH)
    await line.closed
    expect(line.received()).toMatch(/^HTTP\/1.1 200 /)
  })
})

test('OPERATE-25: sixteen requests of a connection may wait for their replies; one that sends more at once is closed', async () => {
  const few = await lineTo(HEALTH.repeat(16))
  await expect.poll(() => few.received().match(/HTTP\/1.1 200 /g)).toHaveLength(16)
  const many = await lineTo(HEALTH.repeat(20_000))
  await many.closed
  expect(many.received().match(/HTTP\/1.1 200 /g)?.length ?? 0).toBeLessThanOrEqual(16)
})

describe('OPERATE-25: bodies that arrive slowly', () => {
  const from = (address: string) => `${POST}x-forwarded-for: ${address}\r\ncontent-length: ${BODY_MAXIMUM}\r\n\r\n `
  const refusedOf = (lines: Line[]) => lines.filter((line) => line.received().startsWith('HTTP/1.1 503 ')).length
  async function started(): Promise<TestServer> {
    const slow = await startServer({ socketLimits: { requestMs: 20_000 }, env: { TRUST_PROXY: '127.0.0.1' } })
    onTestFinished(slow.close)
    return slow
  }
  const bodyOf = (bytes: number, to: TestServer, address: string) =>
    fetch(`${to.address}/api/user/auth/initiate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email: ' '.repeat(bytes) }),
    })

  test('get room up to a limit; small ones are always taken', async () => {
    const slow = await started()
    const addresses = Array.from({ length: 40 }, (_, at) => `203.0.113.${at % 5}`)
    const lines = await Promise.all(addresses.map((address) => lineTo(from(address), slow)))
    await expect.poll(() => refusedOf(lines)).toBe(8)
    expect((await bodyOf(10, slow, '203.0.113.1')).status).toBe(400)
    // room is free again once they are gone
    for (const { socket } of lines) socket.destroy()
    await expect.poll(async () => (await bodyOf(500_000, slow, '203.0.113.1')).status).toBe(400)
  })

  test('those of one address leave room for the others', async () => {
    const slow = await started()
    const lines = await Promise.all(Array.from({ length: 40 }, () => lineTo(from('203.0.113.1'), slow)))
    await expect.poll(() => refusedOf(lines)).toBe(32)
    expect((await bodyOf(500_000, slow, '203.0.113.1')).status).toBe(503)
    expect((await bodyOf(500_000, slow, '203.0.113.2')).status).toBe(400)
  })
})

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']
const OTHER_ADDRESSES = [
  '/',
  '/nothing',
  '/api/nothing',
  '/api/openapi.json',
  '/livez',
  '/readyz',
  '/assets/x',
  '/media/x',
  '/api/invitations/stop',
]
test('OPERATE-25: a body that no call takes is not waited for', async () => {
  const addresses = [...everyEndpoint().map(([, endpoint]) => routeOf(endpoint)), ...OTHER_ADDRESSES]
  const isCall = new Set(everyEndpoint().map(([, endpoint]) => `${endpoint.method} ${routeOf(endpoint)}`))
  for (const request of addresses.flatMap((address) => METHODS.map((method) => `${method} ${address}`))) {
    if (isCall.has(request)) continue
    const line = await lineTo(
      `${request.replace(/:\w+/g, 'x')} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${BODY_MAXIMUM}\r\n\r\n{`,
    )
    await expect.poll(line.received, { message: request }).toMatch(/^HTTP\/1.1 40[145] /)
    line.socket.destroy()
  }
})

const WRONG_TYPE = POST.replace('application/json', 'text/plain')
test.each([
  ['too large by what it says', `${POST}content-length: ${2 * BODY_MAXIMUM}\r\n\r\n${' '.repeat(65_536)}`, 413],
  ['too large as it arrives', `${POST}transfer-encoding: chunked\r\n\r\n200000\r\n${' '.repeat(2 * BODY_MAXIMUM)}`, 413],
  ['of another type', `${WRONG_TYPE}content-length: ${BODY_MAXIMUM}\r\n\r\n${' '.repeat(65_536)}`, 415],
])('OPERATE-25: a body that is refused as %s needs no room any more', async (_why, request, status) => {
  const own = await startServer()
  onTestFinished(own.close)
  for (let count = 0; count < 40; count += 1) {
    const line = await lineTo(request, own)
    await expect.poll(() => line.received()).toMatch(`HTTP/1.1 ${status} `)
    line.socket.destroy()
  }
  const honest = await fetch(`${own.address}/api/user/auth/initiate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ' '.repeat(50_000) }),
  })
  expect(honest.status).toBe(400)
})

test('OPERATE-25: a connection whose client does not read its reply is closed', async () => {
  const one = await startServer({ files: `${folder}/`, socketLimits: { connections: 1, silenceMs: 1000 } })
  onTestFinished(one.close)
  const line = await lineTo('', one)
  line.socket.pause()
  line.socket.write('GET /large.bin HTTP/1.1\r\nhost: x\r\n\r\n')
  // another is taken once this one has gone
  const isTaken = async () => (await fetch(`${one.address}/livez`).catch(() => undefined))?.status
  expect(await isTaken()).toBeUndefined()
  await expect.poll(isTaken, { timeout: 20_000 }).toBe(200)
  line.socket.resume()
  await line.closed
  expect(line.socket.bytesRead).toBeLessThan(FILE_BYTES)
})

test('OPERATE-25: beyond the maximum a new connection is closed and the others are served; once one has ended, another is accepted', async () => {
  const few = await startServer({ env: { METRICS_PORT: String(await freePort()) }, socketLimits: { connections: 3 } })
  onTestFinished(few.close)
  const lines: Line[] = []
  for (let count = 0; count < 3; count += 1) {
    const line = await lineTo(HEALTH, few)
    await expect.poll(line.received).toMatch(/^HTTP\/1.1 200 /)
    lines.push(line)
  }
  const beyond = await lineTo(HEALTH, few)
  await beyond.closed
  expect(beyond.received()).toBe('')
  expect((await metricsOf(few)).valueOf('touchline_connections_refused_total', {})).toBe(1)
  lines[0]?.socket.write(HEALTH)
  await expect.poll(() => lines[0]?.received().match(/HTTP\/1.1 200 /g)).toHaveLength(2)
  lines[1]?.socket.destroy()
  await expect.poll(async () => (await fetch(`${few.address}/livez`).catch(() => undefined))?.status).toBe(200)
})

test('OPERATE-25: the defaults limit each of these, and a reply says how long its connection stays open', async () => {
  for (const [name, limit] of Object.entries(socketLimitsOf(readEnv({})))) {
    expect(limit, name).toBeGreaterThan(0)
    expect(limit, name).toBeLessThan(100_000)
  }
  const usual = await startServer()
  onTestFinished(usual.close)
  expect((await fetch(`${usual.address}/livez`)).headers.get('keep-alive')).toBe('timeout=72')
})

test.each(['br', 'gzip', 'deflate', 'zstd'])(
  'a body compressed by %s is refused unread: what it unpacks to has no limit that is counted',
  async (encoding) => {
    const line = await lineTo(`${POST}content-encoding: ${encoding}\r\ncontent-length: 1000\r\n\r\n`)
    await expect.poll(line.received).toMatch(/^HTTP\/1.1 415 [^]*UNSUPPORTED_MEDIA_TYPE/)
  },
)
