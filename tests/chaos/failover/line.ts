import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '#tests/support/free-port.ts'

/** A TCP line to a port of this machine, which can be cut as a network is: nobody is told, nothing arrives. */
export interface Line {
  port: number
  cut: () => void
  /** What was on its way arrives, as TCP sends it again. */
  mend: () => void
  close: () => Promise<void>
}

/** @param to the port it leads to */
export async function lineTo(to: number): Promise<Line> {
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
    mend: () => {
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
