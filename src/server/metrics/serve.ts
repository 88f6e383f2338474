import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  address: string
  close: () => Promise<void>
}

/** Serves the metrics at an address of their own, to which the proxy does not lead: no caller of the API reaches it. */
export async function serveMetrics({ port, host }: { port: number; host: string }, metrics: Metrics): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
      const { text, contentType } = await metrics.read()
      return response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text)
    })().catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  // a TCP listener's address is never a pipe's name
  const { address, family, port: bound } = server.address() as AddressInfo
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/metrics`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
