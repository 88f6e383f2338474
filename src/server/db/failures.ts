import { errorCode } from '../error-code.ts'
import { findInCauses, hasCause } from '../has-cause.ts'

/** What an error of the database means: errors of one that cannot serve are told from errors of a wrong query. */

// user or database not let in; connection failure, out of resources, shutting down or starting, read-only, idle transaction ended
const NOT_LET_IN = /^(28|3D000)/
const BROKEN = /^(08|53|57P|25006|25P03|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)/
const BROKEN_TEXT =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|client was closed|connection ended|query read timeout|timeout expired/i
// statement timeout, lock timeout, deadlock: a retry may succeed, even on the same connection
const TRY_AGAIN = /^(57014|55P03|40001|40P01)/

/** Whether a connection is unusable after this error, so that the next call needs another, perhaps to another server. */
export function isConnectionSpent(error: unknown): boolean {
  return hasCause(error, (one) => isFatal(one) || codeMatches(one, BROKEN) || codeMatches(one, NOT_LET_IN) || BROKEN_TEXT.test(one.message))
}

/** Whether the database cannot serve at the moment, as opposed to a wrong query. */
export function isDatabaseDown(error: unknown): boolean {
  return isConnectionSpent(error) || hasCause(error, (one) => codeMatches(one, TRY_AGAIN))
}

/** Whether it is down only until it has started, or has room again. One that lets this user or database not in needs other settings. */
export function isDownForNow(error: unknown): boolean {
  return isDatabaseDown(error) && !hasCause(error, (one) => codeMatches(one, NOT_LET_IN) || codeMatches(one, /^42501/))
}

const NOT_UNIQUE = '23505'

/** The name of the unique constraint that an error reports as violated. */
export function violatedConstraint(error: unknown): string | undefined {
  return findInCauses(error, (one) =>
    errorCode(one) === NOT_UNIQUE && 'constraint' in one && typeof one.constraint === 'string' ? one.constraint : undefined,
  )
}

const NO_RIGHTS = '42501'
const NO_CONNECTION = '53300'

export const NO_CONNECTION_ADVICE =
  'It has no connection left: lower DATABASE_CONNECTIONS, or raise max_connections, or the connection limit of the user or the database'

/** What the database said of a statement or connection that it refused, without the statement and its values; undefined: another error. */
export function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (errorCode(error) === NO_CONNECTION) return `DATABASE_URL: ${error.message}. ${NO_CONNECTION_ADVICE}.`
  // by its fields: loading drizzle for its class would slow down every command of the tool
  if (!('query' in error && 'params' in error && error.cause instanceof Error)) return undefined
  const { cause } = error
  const advice = errorCode(cause) === NO_RIGHTS ? ' Let the user of DATABASE_URL own the database and its tables.' : ''
  return errorCode(cause) === NO_CONNECTION ? refusalOf(cause) : `The database refused a statement: ${cause.message}.${advice}`
}

/** Whether PostgreSQL closes the connection after this error, or did not open it. One that speaks another language is known by its codes alone. */
function isFatal(error: Error): boolean {
  return 'severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC')
}

function codeMatches(error: Error, codes: RegExp): boolean {
  return codes.test(errorCode(error) ?? '')
}
