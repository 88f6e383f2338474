import type Stripe from 'stripe'
import type { Clock } from '#server/outside/clock.ts'
import type { Delivery, SandboxStore, SessionRecord } from './store.ts'

/** How events are delivered to the webhook. */
interface DeliverySettings {
  /** called for each attempt: the port may be known only once the server listens */
  webhookUrl: () => string
  sign: (payload: string) => string
  /** pause after the first failed attempt, doubled after each further one up to `retryMaximum` */
  retryMilliseconds: number
  retryMaximum: number
}

export interface EventDelivery {
  /** Delivers what is due, now and later, until `stop`. */
  start: () => void
  /** Call after an event was added or released. */
  wake: () => void
  /** Resolves once nothing is due. */
  settled: () => Promise<void>
  stop: () => Promise<void>
}

type Due = { record: SessionRecord; delivery: Delivery }

const TIMEOUT_MS = 10_000

/** Adds an event to a session's deliveries; it is on disk once the record is saved. */
export function addEvent(
  record: SessionRecord,
  event: { id: string; type: Stripe.Event.Type; apiVersion: string; requestId: string | null; about: object },
  store: SandboxStore,
  clock: Clock,
): void {
  const { delivery, delayMilliseconds, copies } = store.behaviour
  const body = {
    id: event.id,
    object: 'event',
    api_version: event.apiVersion,
    created: Math.floor(clock.now().getTime() / 1000),
    data: { object: event.about },
    livemode: false,
    pending_webhooks: 1,
    request: { id: event.requestId, idempotency_key: null },
    type: event.type,
  }
  record.deliveries.push({
    eventId: event.id,
    type: event.type,
    // indented as the provider sends it, so that a receiver that re-serialises the body fails here, too
    payload: JSON.stringify(body, null, 2),
    state: delivery === 'prompt' ? 'waiting' : delivery,
    dueAt: Date.now() + delayMilliseconds,
    attempts: 0,
    copies,
    lastStatus: null,
  })
}

/**
 * Delivers events one at a time, in the order they fall due, until each gets a 2xx. Delays use the machine's time, so that a test
 * with a stopped clock still gets its events.
 */
export function createDelivery(store: SandboxStore, settings: DeliverySettings): EventDelivery {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const waiting = (): Due[] =>
    store
      .withWaitingEvents()
      .flatMap((record) => record.deliveries.filter((one) => one.state === 'waiting').map((delivery) => ({ record, delivery })))
      .toSorted((a, b) => a.delivery.dueAt - b.delivery.dueAt)

  const wake = () => {
    if (stopping.signal.aborted) return
    clearTimeout(timer)
    running ??= run().finally(() => {
      running = undefined
      sleepUntilNext()
    })
  }

  async function run(): Promise<void> {
    for (;;) {
      const due = waiting().find((one) => one.delivery.dueAt <= Date.now())
      if (!due || stopping.signal.aborted) return
      await attempt(due)
    }
  }

  function sleepUntilNext(): void {
    const next = waiting()[0]
    if (!next || stopping.signal.aborted) return
    const wait = next.delivery.dueAt - Date.now()
    // an event was added while the last round was ending
    if (wait <= 0) return wake()
    timer = setTimeout(wake, wait)
    timer.unref()
  }

  async function attempt({ record, delivery }: Due): Promise<void> {
    const status = await post(delivery.payload)
    // a server that is stopping does not reply: the next process delivers the event again
    if (stopping.signal.aborted) return
    delivery.attempts += 1
    delivery.lastStatus = status
    const isAccepted = status !== null && status >= 200 && status < 300
    if (isAccepted) delivery.copies -= 1
    if (isAccepted && delivery.copies <= 0) delivery.state = 'delivered'
    if (!isAccepted) delivery.dueAt = Date.now() + waitAfter(delivery.attempts)
    store.save(record)
  }

  const waitAfter = (attempts: number) => Math.min(settings.retryMilliseconds * 2 ** (attempts - 1), settings.retryMaximum)

  async function post(payload: string): Promise<number | null> {
    try {
      const reply = await fetch(settings.webhookUrl(), {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': settings.sign(payload) },
        body: payload,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      await reply.body?.cancel()
      return reply.status
    } catch {
      // no reply: retried later
      return null
    }
  }

  return {
    start: wake,
    wake,
    settled: async () => {
      for (let round = running; round; round = running) await round
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}
