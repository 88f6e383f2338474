import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}

export interface Span {
  name: string
  traceId: string
  parentSpanId?: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: number }
}

/** The part of an OpenTelemetry collector that takes traces as JSON over HTTP. */
export interface Collector {
  address: string
  /** every request as it came, head and body */
  requests: string[]
  spans: () => Span[]
  close: () => Promise<void>
}

interface Sent {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

export async function startCollector(): Promise<Collector> {
  const requests: string[] = []
  const bodies: Sent[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += String(chunk)))
    request.on('end', () => {
      requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}\n${text}`)
      if (request.url === '/v1/traces') bodies.push(JSON.parse(text) as Sent)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // a TCP listener's address is never a pipe's name
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => bodies.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
