import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startServer, type TestServer } from '#tests/support/start-server.ts'

const BODY = '{"email":"somebody@club.test","userTypeCode":"player"}'
const HEAD = ['POST /api/user/auth/initiate HTTP/1.1', 'host: x', 'content-type: application/json', `content-length: ${BODY.length}`]

/** A connection on which this text was sent, all of which the server has read. */
async function connectionWith(server: TestServer, text: string): Promise<{ socket: Socket; ended: Promise<unknown> }> {
  const { hostname, port } = new URL(server.address)
  const socket = connect(Number(port), hostname)
  const ended = once(socket, 'close')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  // once a later call on another connection has its reply, the server has read this text
  await fetch(`${server.address}/api/health`)
  return { socket, ended }
}

describe('a server that stops', () => {
  test.each([
    ['nothing', ''],
    ['half of a head', `${HEAD[0]}\r\nhost: x\r\n`],
    ['half of a body', `${HEAD.join('\r\n')}\r\n\r\n{"email"`],
    ['a call and got its reply', 'GET /api/health HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('does not wait for a connection that sent %s', async (_what, text) => {
    const server = await startServer()
    const { socket, ended } = await connectionWith(server, text)
    socket.resume()
    const stopping = performance.now()
    await server.close()
    await ended
    expect(performance.now() - stopping).toBeLessThan(14_000)
  })

  test('replies to a call whose body arrives after the stop has begun', async () => {
    const server = await startServer()
    const { socket } = await connectionWith(server, `${HEAD.join('\r\n')}\r\n\r\n`)
    const reply = once(socket, 'data')
    const closed = server.close()
    // it accepts no new connections
    await expect.poll(() => fetch(`${server.address}/api/health`).catch(() => 'refused')).toBe('refused')
    socket.write(BODY)
    expect(String((await reply)[0])).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i)
    await closed
  })
})
