import type { FastifyBaseLogger } from 'fastify'
import { CardPaymentsError } from '../outside/card-payments.ts'

/** Runs a step that calls the card provider. If the provider fails, logs it and ends the call with `refuse`. */
export async function callCardProvider<T>(log: FastifyBaseLogger, step: () => Promise<T>, refuse: () => never): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof CardPaymentsError)) throw error
    log.warn({ err: error }, 'the card provider failed')
    return refuse()
  }
}
