import { refusalOf } from '#server/db/failures.ts'

/** How a command ends. Scripts may rely on these. */
export const EXIT = {
  done: 0,
  /** refused or failed; nothing was changed unless the message says so */
  failed: 1,
  /** the command line or a setting is wrong */
  usage: 2,
  /** the server or the database did not reply: try again later */
  unreachable: 3,
} as const

/** Ends the command with a message for the operator, without a stack. */
export class ExitError extends Error {
  readonly exit: number

  constructor(message: string, exit: number = EXIT.failed, options?: ErrorOptions) {
    super(message, options)
    this.exit = exit
  }
}

const NO_TLS = /wrong version number|packet length too long|record layer failure/i

/** Errors of the network have no message of their own. */
export function textOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(textOf).join(', ')
  const refusal = refusalOf(error)
  if (refusal !== undefined) return refusal
  if (!(error instanceof Error)) return String(error)
  // OpenSSL's words name neither what is wrong nor a setting
  if (NO_TLS.test(error.message)) return 'that port speaks no TLS (https://, smtps://)'
  const cause = error.cause instanceof Error ? textOf(error.cause) : ''
  return error.message === 'fetch failed' && cause !== '' ? cause : error.message
}
