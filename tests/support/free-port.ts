import { once } from 'node:events'
import { createServer } from 'node:net'
import { threadId } from 'node:worker_threads'

// below Linux's ephemeral ports, which an outgoing connection may take before the server listens
const FIRST_PORT = 20_000
const PORTS = 12_000
/** Each test process looks in a part of its own, because a port is taken only seconds after it was found free. */
const PARTS = 200
const PORTS_IN_PART = PORTS / PARTS

const part = (process.pid + threadId) % PARTS
let given = 0

/** A port that no program listens on, and that this process has not given away in its last 60 calls. */
export async function freePort(): Promise<number> {
  const port = FIRST_PORT + part * PORTS_IN_PART + (given++ % PORTS_IN_PART)
  const server = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) return freePort()
  server.close()
  await once(server, 'close')
  return port
}
