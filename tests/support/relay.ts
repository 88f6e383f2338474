import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

/** Relays to a database. A test can cut it, as a restart or a network fault does, or redirect it, as a failover does. */
export interface Relay {
  url: string
  /** redirects new connections to this port */
  leadTo: (port: number) => void
  /** Ends all connections and refuses new ones until `mend`. */
  cut: () => Promise<void>
  mend: () => Promise<void>
  /** Ends all connections, but accepts new ones. */
  interrupt: () => void
  /** Ends each connection that is about to send this. */
  breakAt: (words: RegExp | undefined) => void
  /** all data that was sent to the database */
  said: () => string
}

export async function relayTo(target: string): Promise<Relay> {
  const url = new URL(target)
  let far = Number(url.port)
  let breaking: RegExp | undefined
  let heard = ''
  const sockets = new Set<Socket>()
  const port = await freePort()
  const relay = createServer((near) => {
    const beyond = connect(far, url.hostname)
    for (const socket of [near, beyond]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        beyond.destroy()
      })
    }
    near.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      heard += text
      if (breaking?.test(text)) near.destroy()
      else beyond.write(bytes)
    })
    beyond.pipe(near)
  })
  const mend = async () => {
    relay.listen(port, '127.0.0.1')
    await once(relay, 'listening')
  }
  const interrupt = () => {
    for (const socket of sockets) socket.destroy()
  }
  await mend()
  url.port = String(port)
  return {
    url: url.href,
    leadTo: (to) => {
      far = to
    },
    mend,
    interrupt,
    breakAt: (words) => {
      breaking = words
    },
    said: () => heard,
    cut: async () => {
      const closed = once(relay, 'close')
      relay.close()
      interrupt()
      await closed
    },
  }
}
