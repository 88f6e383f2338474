/** A keep-alive client that writes bytes and reads by content-length, so that it uses little time beside the server. */
import { connect, type Socket } from 'node:net'
import { quantile } from './statistics.ts'

interface Answer {
  status: number
  body: Buffer
}

export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Makes the next request of a connection. */
export type Turn = () => Request

export interface Load {
  /** replies a second */
  rate: number
  /** ms */
  p50: number
  p99: number
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')

export class Connection {
  #socket: Socket
  #host: string
  #got = Buffer.alloc(0)
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined

  constructor(address: string) {
    const { hostname, port, host } = new URL(address)
    this.#host = host
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (chunk) => {
      this.#got = this.#got.length === 0 ? chunk : Buffer.concat([this.#got, chunk])
      this.#read()
    })
    const end = (error?: Error) => this.#waiting?.reject(error ?? new Error('the connection was closed'))
    this.#socket.on('error', end).on('close', () => end())
  }

  ask({ method, path, headers = {}, body }: Request): Promise<Answer> {
    const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`, 'content-type: application/json']
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    this.#socket.write([`${method} ${path} HTTP/1.1`, `host: ${this.#host}`, ...lines, ...length, '', body ?? ''].join('\r\n'))
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  #read(): void {
    const end = this.#got.indexOf(END_OF_HEAD)
    if (end === -1) return
    const head = this.#got.toString('latin1', 0, end)
    const start = end + END_OF_HEAD.length
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const whole = length === undefined ? this.#endOfChunks(start) : start + Number(length)
    if (whole === undefined || this.#got.length < whole) return
    const answer = { status: Number(head.slice(9, 12)), body: this.#got.subarray(start, whole) }
    this.#got = this.#got.subarray(whole)
    this.#waiting?.resolve(answer)
  }

  /** Finds the end of a chunked body, whose content is not needed. */
  #endOfChunks(start: number): number | undefined {
    let at = start
    for (;;) {
      const line = this.#got.indexOf('\r\n', at)
      if (line === -1) return undefined
      const size = Number.parseInt(this.#got.toString('latin1', at, line), 16)
      at = line + 2 + size + 2
      if (size === 0) return at
    }
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }
}

/** Opens a connection for each turn, each with one request at a time. Any status but 200 ends the load. */
export async function load(address: string, turns: readonly Turn[], milliseconds: number): Promise<Load> {
  const connections = turns.map((turn) => ({ turn, connection: new Connection(address) }))
  const latencies: number[] = []
  const started = performance.now()
  try {
    await Promise.all(
      connections.map(async ({ turn, connection }) => {
        while (performance.now() - started < milliseconds) {
          const request = turn()
          const begun = performance.now()
          const { status, body } = await connection.ask(request)
          latencies.push(performance.now() - begun)
          if (status !== 200) throw new Error(`${request.method} ${request.path} answered ${status}: ${body.toString()}`)
        }
      }),
    )
  } finally {
    for (const { connection } of connections) connection.close()
  }
  const seconds = (performance.now() - started) / 1000
  return { rate: latencies.length / seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
}

/** One request on its own connection. */
export async function askOnce(address: string, request: Request): Promise<Answer> {
  const connection = new Connection(address)
  try {
    return await connection.ask(request)
  } finally {
    connection.close()
  }
}
