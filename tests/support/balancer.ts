import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'

interface Balancer {
  address: string
  close: () => void
}

/**
 * Gives each call to the next of several servers on this machine, as a load balancer does. A call goes to another server only if it has
 * not been sent yet; if its server dies afterwards, the caller gets a 502.
 */
export async function balance(ports: readonly number[], port: number): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((asked, replied) => {
    void text(asked).then(async (body) => {
      for (let tries = 0; tries < ports.length; tries += 1) {
        turn += 1
        const reply = await send(asked, body, ports[turn % ports.length] ?? 0)
        if (reply === 'not sent') continue
        if (reply === 'lost') break
        replied.writeHead(reply.status, reply.headers)
        return replied.end(reply.body)
      }
      return replied.writeHead(502).end()
    })
  })

  function send(asked: IncomingMessage, body: string, to: number) {
    return new Promise<'not sent' | 'lost' | { status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve) => {
      const sending = request({ agent, host: '127.0.0.1', port: to, method: asked.method, path: asked.url, headers: asked.headers })
      sending.on('error', (error) => resolve('code' in error && error.code === 'ECONNREFUSED' ? 'not sent' : 'lost'))
      sending.on('response', (reply) => {
        const parts: Buffer[] = []
        reply.on('data', (part: Buffer) => parts.push(part))
        reply.on('error', () => resolve('lost'))
        reply.on('end', () =>
          resolve({ status: reply.statusCode ?? 502, headers: withoutLength(reply.headers), body: Buffer.concat(parts) }),
        )
      })
      sending.end(body)
    })
  }

  // it never ends a connection that is about to be used
  server.keepAliveTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}

/** The whole body is known here. */
function withoutLength({ 'transfer-encoding': _chunked, ...headers }: IncomingMessage['headers']): IncomingMessage['headers'] {
  return headers
}
