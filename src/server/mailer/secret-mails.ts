import { setTimeout as pauseFor } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { RESEND_SECONDS } from '#contract/constants.ts'
import { MailError, type Mail, type Message } from '../outside/mail.ts'
import type { Random } from '../outside/random.ts'

/**
 * Mails with a secret in them: kept in memory alone, never in a table. While the mail server answers nobody waits for
 * it; while it does not, whoever asks waits, and is told the truth.
 */
export interface SecretMails {
  /**
   * true: taken over, or on its way. false: the mail server did not take it. What cannot be delivered is undone by `undo`,
   * before false is answered or later.
   */
  send: (message: Message, undo: () => Promise<void>) => Promise<boolean>
  /** Resolves once no try is under way; one that waits for its next try is not. */
  settled: () => Promise<void>
  /** Tries once more what waits for its next try, and waits for all of it. */
  close: () => Promise<void>
}

const SECOND = 1000
/** After each try that failed, as long as nobody may ask for another code. */
const PAUSES = [SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND]
/** Addresses the mail server refused: the next time they are waited for. */
const REFUSED_KEPT = 1000

interface Sending {
  mail: Mail
  random: Random
  log: FastifyBaseLogger
}

export function secretMails({ mail, random, log }: Sending): SecretMails {
  const underWay = new Set<Promise<unknown>>()
  const deliveries = new Set<Promise<unknown>>()
  const refused = new Set<string>()
  const closing = new AbortController()

  /** undefined: taken over. */
  async function tryOnce(message: Message): Promise<unknown> {
    try {
      await mail.send(message)
      refused.delete(message.to)
      return undefined
    } catch (error) {
      log.error({ err: error }, 'a mail with a secret could not be sent')
      if (error instanceof MailError && error.isRefused) remember(refused, message.to)
      return error
    }
  }

  /** One try, and what follows where it was the last; true: it is over. */
  async function takeTurn(message: Message, undo: () => Promise<void>, mayWait: () => boolean): Promise<boolean> {
    const failure = await tryOnce(message)
    if (failure === undefined) return true
    if (canRetry(failure) && mayWait()) return false
    await undo().catch((error: unknown) => log.error({ err: error }, 'what a mail was about could not be undone'))
    return true
  }

  async function deliver(message: Message, undo: () => Promise<void>): Promise<void> {
    const until = performance.now() + RESEND_SECONDS * SECOND
    for (const pause of [...PAUSES, Number.POSITIVE_INFINITY]) {
      const isAtStop = closing.signal.aborted
      const mayWait = () => !isAtStop && performance.now() + pause < until
      if (await within(underWay, takeTurn(message, undo, mayWait))) return
      // at a stop the pause is over
      await pauseFor(pause, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  return {
    send: async (message, undo) => {
      const whole = { ...message, id: random.id() }
      if (mail.isUp() && !refused.has(message.to)) {
        void within(deliveries, deliver(whole, undo))
        return true
      }
      const failure = await within(underWay, tryOnce(whole))
      if (failure !== undefined) await undo()
      return failure === undefined
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    close: async () => {
      closing.abort()
      await Promise.all([...deliveries, ...underWay])
    },
  }
}

async function within<T>(set: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  set.add(promise)
  return promise.finally(() => set.delete(promise))
}

function canRetry(failure: unknown): boolean {
  return failure instanceof MailError && !failure.isRefused
}

function remember(addresses: Set<string>, address: string): void {
  addresses.add(address)
  const [oldest] = addresses
  if (addresses.size > REFUSED_KEPT && oldest !== undefined) addresses.delete(oldest)
}
