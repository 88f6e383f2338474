import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'

const BODY = JSON.stringify({ email: 'nobody@club.test' })

/** Begins a call; the returned function sends its body and resolves to the first line of the reply. */
export async function beginCall(port: number): Promise<() => Promise<string>> {
  const socket = connect(port, '127.0.0.1')
  const lines = createInterface(socket)[Symbol.asyncIterator]()
  const head = ['POST /api/nowhere HTTP/1.1', 'host: x', 'content-type: application/json', 'expect: 100-continue', 'connection: close']
  socket.write([...head, `content-length: ${BODY.length}`, '', ''].join('\r\n'))
  // with this reply the server has begun the call
  expect((await lines.next()).value).toBe('HTTP/1.1 100 Continue')
  await lines.next()
  return async () => {
    socket.write(BODY)
    return String((await lines.next()).value)
  }
}
