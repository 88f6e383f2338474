import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { givenServer } from '#tests/support/start-server.ts'

/** Whoever is given an id finds what the server logged of that request. */
describe('request ids', () => {
  const lines: string[] = []
  const server = givenServer({ env: { LOG_LEVEL: 'info' }, logTo: { write: (line) => lines.push(line) } })

  /** The reply to these bytes. */
  async function replyTo(text: string): Promise<string> {
    const { hostname, port } = new URL(server.address)
    const socket = connect(Number(port), hostname)
    let reply = ''
    socket.on('data', (chunk) => (reply += String(chunk)))
    const ended = once(socket, 'close')
    socket.write(text.replaceAll('\n', '\r\n'))
    await ended
    return reply
  }

  test.each([
    ['a call', 'GET /api/settings HTTP/1.1\nhost: x\nconnection: close\n\n'],
    ['a refused call', 'GET /api/job HTTP/1.1\nhost: x\nconnection: close\n\n'],
    ['a call that does not exist', 'GET /api/nowhere HTTP/1.1\nhost: x\nconnection: close\n\n'],
    ['an address that cannot be decoded', 'GET /api/user/%zz HTTP/1.1\nhost: x\nconnection: close\n\n'],
    ['an address that is too long', `GET /api/user/${'x'.repeat(600)} HTTP/1.1\nhost: x\nconnection: close\n\n`],
    ['an unknown method', 'STEAL / HTTP/1.1\nhost: x\n\n'],
    ['a head that cannot be parsed', 'GET / HTTP/1.1\nhost: x\nbroken\n\n'],
  ])('%s has one in its reply and in the log', async (_what, request) => {
    const reply = await replyTo(request)
    const id = /^x-request-id: (\S+)/im.exec(reply)?.[1]
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const inBody = /"requestId":"([^"]+)"/.exec(reply)?.[1]
    expect(inBody ?? id).toBe(id)
    await expect.poll(() => lines.filter((line) => (JSON.parse(line) as { reqId?: string }).reqId === id).length).toBeGreaterThan(0)
  })
})
