import { setTimeout as delay } from 'node:timers/promises'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** The properties of a connection. Lost segments arrive later and delay those after them, as with TCP. */
interface LineShape {
  bitsPerSecond: number
  /** one way */
  delayMs: number
  /** how many of a hundred segments are lost */
  lostPercent: number
}

interface WeakLine {
  url: string
  /** Breaks all open connections, and lets nothing through for so long. */
  cutFor: (ms: number) => Promise<void>
  close: () => Promise<void>
}

const SEGMENT_BYTES = 1460
const SENT_AGAIN_AFTER_MS = 600

/** A connection to the product through this process: slow, delayed, lossy, and to be cut. */
export async function openWeakLine(target: string, shape: LineShape): Promise<WeakLine> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  // all connections share one line
  const freeAt = { up: 0, down: 0 }
  // the same losses in every run
  let seed = 1
  const isLost = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % 100 < shape.lostPercent
  }

  async function carry(segment: Buffer, way: 'up' | 'down'): Promise<void> {
    const takes = (segment.length * 8 * 1000) / shape.bitsPerSecond
    const begins = Math.max(freeAt[way], performance.now())
    freeAt[way] = begins + takes
    await delay(begins + takes + shape.delayMs + (isLost() ? SENT_AGAIN_AFTER_MS : 0) - performance.now())
  }

  function join(from: Socket, to: Socket, way: 'up' | 'down'): void {
    let before: Promise<void> = Promise.resolve()
    from.on('data', (bytes: Buffer) => {
      from.pause()
      const sent: Promise<void>[] = []
      for (let at = 0; at < bytes.length; at += SEGMENT_BYTES) {
        const segment = bytes.subarray(at, at + SEGMENT_BYTES)
        before = Promise.all([carry(segment, way), before]).then(() => void to.write(segment))
        sent.push(before)
      }
      void Promise.all(sent).then(() => from.resume())
    })
    from.on('end', () => void before.then(() => to.end()))
  }

  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    join(near, far, 'up')
    join(far, near, 'down')
  })
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo // listening on a port, never on a pipe
  return {
    url: `http://127.0.0.1:${address.port}`,
    cutFor: async (ms) => {
      isCut = true
      breakAll()
      await delay(ms)
      isCut = false
    },
    close: async () => {
      server.close()
      breakAll()
      await once(server, 'close')
    },
  }
}
