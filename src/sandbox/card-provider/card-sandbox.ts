import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Stripe from 'stripe'
import { createSandboxApi } from './api.ts'
import { createDelivery, type EventDelivery } from './webhook-delivery.ts'
import { createSessions, type Catalog, type SandboxSessions } from './sessions.ts'
import { openSandboxStore, type SandboxKeys, type SandboxStore } from './store.ts'
import type { Clock } from '#server/outside/clock.ts'

/** A stand-in for the card provider, inside this process. docs/decisions/0013-card-sandbox.md */
export interface CardSandbox {
  /** the address the SDK calls */
  readonly host: string
  readonly port: number
  readonly keys: SandboxKeys
  readonly store: SandboxStore
  readonly sessions: SandboxSessions
  readonly delivery: EventDelivery
  close: () => Promise<void>
}

interface CardSandboxSettings {
  dataDir: string
  clock: Clock
  catalog: () => Promise<Catalog>
  /** called for each delivery: the port may be known only once the server listens */
  webhookUrl: () => string
  retryMilliseconds?: number
}

const MINUTE_MS = 60_000

/** Listens on a free loopback port and continues the deliveries of an earlier process. */
export async function startCardSandbox(settings: CardSandboxSettings): Promise<CardSandbox> {
  const { clock, catalog } = settings
  const store = openSandboxStore(join(settings.dataDir, 'card-sandbox'))
  // the SDK's own signer and version, so that they always match what the server verifies with
  const sdk = new Stripe(store.keys.secretKey)
  const sign = (payload: string) =>
    sdk.webhooks.generateTestHeaderString({ payload, secret: store.keys.webhookSecret, timestamp: clock.now().getTime() / 1000 })
  const delivery = createDelivery(store, {
    webhookUrl: settings.webhookUrl,
    sign,
    retryMilliseconds: settings.retryMilliseconds ?? 500,
    retryMaximum: MINUTE_MS,
  })
  const apiVersion = Stripe.API_VERSION
  const sessions = createSessions(store, clock, delivery, apiVersion)
  const server = createSandboxApi({ store, sessions, catalog, clock, apiVersion })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const expiries = setInterval(() => store.all().forEach((record) => sessions.find(record.session.id)), MINUTE_MS)
  expiries.unref()
  delivery.start()
  return {
    host: '127.0.0.1',
    // A TCP listener's address is never a pipe's name.
    port: (server.address() as AddressInfo).port,
    keys: store.keys,
    store,
    sessions,
    delivery,
    close: async () => {
      clearInterval(expiries)
      await delivery.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
