import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errors, type ErrorCode, type Refusal } from '#contract/errors.ts'
import { wordsOf } from '../words/words.ts'
import type { FixedHeaders } from './headers.ts'

const arriving = new WeakSet<Socket>()

/** Allows a request to arrive slowly, until the returned function is called or the seconds have passed. */
export function allowSlowBody(socket: Socket, seconds: number): () => void {
  arriving.add(socket)
  const end = setTimeout(() => socket.destroy(), seconds * 1000)
  return () => {
    clearTimeout(end)
    arriving.delete(socket)
  }
}

/**
 * Refuses what Node cannot parse as a request: an unknown method, a body or header that never ends.
 * @param fixed the headers of every reply
 * @param onRefused told under which id and with which code
 */
export function refuseMalformed(
  error: Error & { code?: string },
  socket: Socket,
  fixed: FixedHeaders,
  onRefused: (reqId: string, code: ErrorCode) => void,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && arriving.has(socket)) return
  // no header was read, so the language is unknown
  const code = codeOf(error.code)
  const requestId = randomUUID()
  onRefused(requestId, code)
  const refusal: Refusal = { code, message: wordsOf('en').errors[code], requestId }
  const body = JSON.stringify(refusal)
  const head = [
    `HTTP/1.1 ${errors[code]} ${STATUS_CODES[errors[code]] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    ...Object.entries(fixed).map(([name, value]) => `${name}: ${value}`),
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function codeOf(cause: string | undefined): ErrorCode {
  switch (cause) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'REQUEST_TIMEOUT'
    case 'HPE_INVALID_METHOD':
      return 'METHOD_NOT_ALLOWED'
    case 'HPE_HEADER_OVERFLOW':
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'TOO_LARGE'
    default:
      return 'INVALID_INPUT'
  }
}
