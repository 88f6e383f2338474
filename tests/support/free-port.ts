import { once } from 'node:events'
import { createServer } from 'node:net'

// below Linux's ephemeral ports, which an outgoing connection may take before the server listens
const FIRST_PORT = 20_000
const PORTS = 12_000

export async function freePort(): Promise<number> {
  const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
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
