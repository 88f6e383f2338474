import type { FastifyBaseLogger } from 'fastify'
import { MediaError } from '../outside/media.ts'

/** Runs a step that calls the object store. If the store fails, logs it and resolves to undefined. */
export async function callObjectStore<T>(log: FastifyBaseLogger, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error }, 'the object store failed')
    return undefined
  }
}
