import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { CardHost } from '#operator/doctor/cards.ts'

interface FakeWebhook {
  url: string
  status: 'enabled' | 'disabled'
  enabled_events: string[]
}

/** The part of the card provider's API that the doctor asks: prices, coupons, webhooks and whether it may list sessions, for one key. */
export async function fakeCards(
  key: string,
  prices: Record<string, [amount: number, currency: string]>,
  webhooks: FakeWebhook[] | 'forbidden' = [],
): Promise<CardHost> {
  const server = createServer((request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== `Bearer ${key}`)
      return reply(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } })
    const [, , kind = '', id = ''] = (request.url ?? '').split('/')
    const price = prices[id]
    if (kind === 'prices' && price) return reply(200, { id, object: 'price', active: true, unit_amount: price[0], currency: price[1] })
    if (kind === 'coupons' && id === 'bulk') return reply(200, { id, object: 'coupon', percent_off: 20 })
    if (kind === 'checkout') return reply(200, { object: 'list', has_more: false, data: [] })
    if (kind.startsWith('webhook_endpoints') && webhooks === 'forbidden')
      return reply(403, { error: { type: 'invalid_request_error', message: 'The provided key does not have the required permissions' } })
    if (kind.startsWith('webhook_endpoints')) return reply(200, { object: 'list', has_more: false, data: webhooks })
    return reply(404, { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${kind}: '${id}'` } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // listening on a port, never on a pipe
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}
