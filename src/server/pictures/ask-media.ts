import type { FastifyBaseLogger } from 'fastify'
import { MediaError } from '../outside/media.ts'

/** Runs a step that needs the object store; undefined, and logged, when the store fails. */
export async function askMedia<T>(log: FastifyBaseLogger, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error }, 'object store')
    return undefined
  }
}
