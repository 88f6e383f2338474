import { setTimeout as pauseFor } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { CODE_RESEND_SECONDS } from '#contract/constants.ts'
import { MailError, type Mail, type Message } from '../outside/mail.ts'
import type { Random } from '../outside/random.ts'

/**
 * Mails with a one-time code: held in memory, never in a table. While the mail server replies, callers do not wait for it; while it
 * does not, they wait and learn the outcome.
 */
export interface CodeMails {
  /**
   * true: accepted, or being sent. false: the mail server did not accept it. `undo` is called for a mail that cannot be delivered,
   * before this resolves to false or later.
   */
  send: (message: Message, undo: () => Promise<void>) => Promise<boolean>
  /** Resolves once no attempt is running; mails waiting for their next attempt do not count. */
  settled: () => Promise<void>
  /** Makes a last attempt for the mails that are waiting, and waits for all of them. */
  close: () => Promise<void>
}

const SECOND_MS = 1000
/** The pause after each failed attempt, while no other code may be requested. */
const RETRY_PAUSES_MS = [SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS]
/** Addresses that the mail server refused: the next call for one waits for the reply. */
const REFUSED_MAXIMUM = 1000

interface CodeMailsParts {
  mail: Mail
  random: Random
  log: FastifyBaseLogger
}

export function codeMails({ mail, random, log }: CodeMailsParts): CodeMails {
  const underWay = new Set<Promise<unknown>>()
  const deliveries = new Set<Promise<unknown>>()
  const refused = new Set<string>()
  /** of these a try had no answer: their codes stay valid */
  const mayArrive = new WeakSet<Message>()
  const closing = new AbortController()

  /** undefined: accepted. */
  async function tryOnce(message: Message): Promise<unknown> {
    try {
      await mail.send(message)
      refused.delete(message.to)
      return undefined
    } catch (error) {
      if (error instanceof MailError && error.isUnanswered && error.code === 'ETIMEDOUT') {
        // a second one would only be a second mail, and the code in the first must stay valid
        log.warn('the mail server took over ten seconds to accept a mail with a secret: treated as accepted')
        return undefined
      }
      log.error({ err: error }, 'could not send a mail with a secret')
      if (error instanceof MailError && error.isRefused) remember(refused, message.to)
      return error
    }
  }

  /** One attempt, and `undo` if it was the last and none may arrive; true: it is over. */
  async function attempt(message: Message, undo: () => Promise<void>, mayWait: () => boolean): Promise<boolean> {
    const failure = await tryOnce(message)
    if (failure === undefined) return true
    if (failure instanceof MailError && failure.isUnanswered) mayArrive.add(message)
    if (canRetry(failure) && mayWait()) return false
    if (mayArrive.has(message)) return true
    await undo().catch((error: unknown) => log.error({ err: error }, 'could not undo the effects of an undelivered mail'))
    return true
  }

  async function deliver(message: Message, undo: () => Promise<void>): Promise<void> {
    const until = performance.now() + CODE_RESEND_SECONDS * SECOND_MS
    for (const pause of [...RETRY_PAUSES_MS, Number.POSITIVE_INFINITY]) {
      const isClosing = closing.signal.aborted
      const mayWait = () => !isClosing && performance.now() + pause < until
      if (await track(underWay, attempt(message, undo, mayWait))) return
      // closing ends the pause
      await pauseFor(pause, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }

  return {
    send: async (message, undo) => {
      const withId = { ...message, id: random.id() }
      if (mail.isUp() && !refused.has(message.to)) {
        void track(deliveries, deliver(withId, undo))
        return true
      }
      const failure = await track(underWay, tryOnce(withId))
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

async function track<T>(set: Set<Promise<unknown>>, promise: Promise<T>): Promise<T> {
  set.add(promise)
  return promise.finally(() => set.delete(promise))
}

function canRetry(failure: unknown): boolean {
  return failure instanceof MailError && !failure.isRefused
}

function remember(addresses: Set<string>, address: string): void {
  addresses.add(address)
  const [oldest] = addresses
  if (addresses.size > REFUSED_MAXIMUM && oldest !== undefined) addresses.delete(oldest)
}
