import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '#tests/support/free-port.ts'

/** A TCP link to a port of this machine that can be cut like a network: without an error, nothing arrives. */
export interface Link {
  port: number
  cut: () => void
  /** What was in flight arrives, as TCP sends it again. */
  restore: () => void
  close: () => Promise<void>
}

/** @param to the port it leads to */
export async function linkTo(to: number): Promise<Link> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isCut = false
  const listener = createServer((near) => {
    const pair = [near, connect(to, '127.0.0.1')] as const
    pairs.add(pair)
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => !isCut && end(pair))
    }
    if (!isCut) flow(pair)
  })

  function end(pair: readonly [Socket, Socket]): void {
    pairs.delete(pair)
    for (const socket of pair) socket.destroy()
  }

  const port = await freePort()
  listener.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port,
    cut: () => {
      isCut = true
      for (const [near, far] of pairs) {
        near.unpipe(far).pause()
        far.unpipe(near).pause()
      }
    },
    restore: () => {
      isCut = false
      for (const pair of pairs) {
        if (pair.some((socket) => socket.destroyed)) end(pair)
        else flow(pair)
      }
    },
    close: async () => {
      const closed = once(listener, 'close')
      listener.close()
      for (const pair of pairs) end(pair)
      await closed
    },
  }
}

function flow([near, far]: readonly [Socket, Socket]): void {
  near.pipe(far)
  far.pipe(near)
}
