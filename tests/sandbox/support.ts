import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { onTestFinished } from 'vitest'
import { startCardSandbox, type CardSandbox } from '#sandbox/card-provider/card-sandbox.ts'
import type { Clock } from '#server/outside/clock.ts'

/** A new folder, removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface Received {
  body: Buffer
  signature: string
  event: Stripe.Event
}

/** A webhook that records events and replies with the statuses that a test sets. */
export async function listenForEvents(): Promise<{ url: string; received: Received[]; answerWith: (...statuses: number[]) => void }> {
  const received: Received[] = []
  let statuses: number[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      received.push({ body, signature: String(request.headers['stripe-signature']), event: JSON.parse(body.toString()) as Stripe.Event })
      response.writeHead(statuses.shift() ?? 200).end()
    })
  })
  await listening(server)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/stripe/webhook`,
    received,
    answerWith: (...next) => {
      statuses = next
    },
  }
}

async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
}

const PRICES = [
  { id: 'price_regular', unitAmount: 4900, currency: 'USD', productName: 'Profile' },
  { id: 'price_promotion', unitAmount: 3900, currency: 'USD', nickname: 'launch', productName: 'Profile' },
]

/** A sandbox with two prices and a coupon, stopped after the test. */
export async function sandboxFor(settings: { dataDir: string; clock?: Clock; webhookUrl?: string }): Promise<CardSandbox> {
  const sandbox = await startCardSandbox({
    dataDir: settings.dataDir,
    clock: settings.clock ?? { now: () => new Date() },
    catalog: async () => ({ prices: PRICES, coupons: [{ id: 'bulk20', percentOff: 20 }] }),
    webhookUrl: () => settings.webhookUrl ?? 'http://127.0.0.1:9/nobody',
    retryMilliseconds: 5,
  })
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** The provider's own SDK, pointed at the sandbox. */
export function sdkFor(sandbox: CardSandbox, secretKey = sandbox.keys.secretKey): Stripe {
  return new Stripe(secretKey, { host: sandbox.host, port: sandbox.port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 })
}

export const NEW_SESSION = {
  mode: 'payment',
  ui_mode: 'embedded_page',
  line_items: [{ price: 'price_regular', quantity: 1 }],
  return_url: 'http://localhost:3000/stripe/direct-purchase/return?session_id={CHECKOUT_SESSION_ID}',
} satisfies Stripe.Checkout.SessionCreateParams

export const GOOD_CARD = { number: '4242 4242 4242 4242', expiry: '12 / 40', cvc: '123' }
export const DECLINED_CARD = { ...GOOD_CARD, number: '4000 0000 0000 0002' }
