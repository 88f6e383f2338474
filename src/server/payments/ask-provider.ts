import type { FastifyBaseLogger } from 'fastify'
import { CardPaymentsError } from '../outside/card-payments.ts'

/** Runs a step that needs the card provider. When the provider fails it is logged, and the call ends with `refuse`. */
export async function askProvider<T>(log: FastifyBaseLogger, step: () => Promise<T>, refuse: () => never): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof CardPaymentsError)) throw error
    log.warn({ err: error }, 'card provider')
    return refuse()
  }
}
