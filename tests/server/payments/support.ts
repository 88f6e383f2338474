import { eq } from 'drizzle-orm'
import { onTestFinished } from 'vitest'
import { api } from '#contract/api.ts'
import type { UserTypeCode } from '#contract/rules/user-types.ts'
import { fillPath, type Endpoint, type ReplyOf } from '#contract/endpoint.ts'
import type { paymentsForOperator } from '#contract/payments.operator.ts'
import { instances } from '#server/db/schema/instances.ts'
import { orders, providerEvents } from '#server/db/schema/orders.ts'
import { control, type Control } from '#sandbox/card-provider/control.ts'
import type { CardSandbox } from '#sandbox/card-provider/card-sandbox.ts'
import { ask, movableClock, signIn, type Reply } from '#tests/support/person.ts'
import { defaultEngine, type Engine } from '#tests/support/databases.ts'
import { startServer, type ServerOptions, type TestServer } from '#tests/support/start-server.ts'
import { GOOD_CARD, sdkFor } from '#tests/sandbox/support.ts'

export const REGULAR = 'price_touchline_profile'
export const LAUNCH = 'price_touchline_profile_launch'

/** Calls as one person: the path from the contract, the body as JSON. */
export type Calls = <T = Record<string, unknown>>(
  endpoint: Endpoint,
  params?: Record<string, string>,
  body?: object,
  language?: string,
) => Promise<Reply<T>>

export interface Shop {
  running: TestServer
  sandbox: CardSandbox
  clock: ReturnType<typeof movableClock>
  control: (wanted: Control) => void
  signIn: (type?: UserTypeCode) => Promise<Calls>
  guest: Calls
  pay: (sessionId: string) => void
  close: () => Promise<void>
}

/** A whole server with its sandbox. Events are held unless a test releases them. */
export async function openShop(database: Engine = defaultEngine, options: Pick<ServerOptions, 'env' | 'logTo'> = {}): Promise<Shop> {
  const clock = movableClock()
  const running = await startServer({ database, clock, ...options })
  const { cardSandbox: sandbox } = running
  if (!sandbox) throw new Error('no sandbox')
  control(sandbox, { action: 'behave', delivery: 'held' })
  let people = 0
  return {
    running,
    sandbox,
    clock,
    control: (wanted) => void control(sandbox, wanted),
    signIn: async (type) => {
      people += 1
      return callsOf(running, (await signIn(running, `buyer${people}@payments.test`, type)).accessToken)
    },
    guest: callsOf(running),
    pay: (id) => {
      const record = sandbox.sessions.find(id)
      if (!record || sandbox.sessions.pay(record, GOOD_CARD).status !== 'complete') throw new Error('not paid')
    },
    close: running.close,
  }
}

/** Changes the sandbox's behaviour until the test ends. */
export function during(shop: Shop, wanted: Omit<Extract<Control, { action: 'behave' }>, 'action'>): void {
  shop.control({ action: 'behave', ...wanted })
  onTestFinished(() => shop.control({ action: 'behave', delivery: 'held', copies: 1, settlement: 'at-once', outage: 'none' }))
}

export function callsOf(server: { address: string }, bearer?: string): Calls {
  return <T>(endpoint: Endpoint, params: Record<string, string> = {}, body?: object, language?: string) =>
    ask<T>(server, endpoint.method, fillPath(endpoint.path, params), {
      ...(bearer === undefined ? {} : { bearer }),
      ...(language === undefined ? {} : { language }),
      body,
    })
}

export interface Opened {
  sessionId: string
  clientSecret: string
}

export async function checkout(calls: Calls, priceId = LAUNCH): Promise<Opened> {
  const { body } = await calls<Opened>(api.assessments.checkout, { priceId })
  return body
}

export function complete(calls: Calls, sessionId: string) {
  return calls<{ status: string; assessmentInstanceId: string | null; code?: string }>(
    api.assessments.completeCheckout,
    {},
    { session_id: sessionId },
  )
}

/** The order of a session, and the instances granted for it. */
export async function stored({ running }: Shop, sessionId: string) {
  const { db } = running.deps
  const [order] = await db.select().from(orders).where(eq(orders.checkoutSessionId, sessionId))
  const granted = order ? await db.select().from(instances).where(eq(instances.orderId, order.id)) : []
  return { order, granted }
}

/** Everything that a webhook could change. */
export async function everything({ running }: Shop) {
  const { db } = running.deps
  return {
    orders: await db.select().from(orders).orderBy(orders.id),
    instances: await db.select().from(instances).orderBy(instances.id),
    events: await db.select().from(providerEvents).orderBy(providerEvents.id),
  }
}

/** The held events of a session, as bytes that can be signed and sent by hand. */
export function payloadsOf({ sandbox }: Shop, sessionId: string): string[] {
  return sandbox.store.find(sessionId)?.deliveries.map((one) => one.payload) ?? []
}

/** What the operator's page lists. */
export async function toCheck({ running }: Shop, query = '') {
  const { operatorKey: bearer } = running.deps.keys
  return (await ask<ReplyOf<typeof paymentsForOperator.toCheck>>(running, 'GET', `payment${query}`, { bearer })).body
}

/** Sends an event as the provider would, and returns the status. */
export async function sendEvent({ running, sandbox, clock }: Shop, payload: string): Promise<number> {
  const timestamp = Math.floor(clock.now().getTime() / 1000)
  const { webhookSecret: secret } = sandbox.keys
  const signature = sdkFor(sandbox).webhooks.generateTestHeaderString({ payload, secret, timestamp })
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
  const response = await fetch(`${running.address}/api/stripe/webhook`, { method: 'POST', headers, body: payload })
  await response.arrayBuffer()
  return response.status
}
