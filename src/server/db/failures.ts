/** What the database says when it cannot serve, told apart from a query that was wrong. */

// connection, resources, shutdown and start, read-only, thrown out of an idle transaction
const SPENT = /^(08|53|57P|25006|25P03|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)/
const SPENT_TEXT =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|client was closed|connection ended|query read timeout|timeout expired/i
// took too long, waited too long for a lock, lost a deadlock: the same again may go well, and on the same connection
const TRY_AGAIN = /^(57014|55P03|40001|40P01)/

/** Whether a connection that met this error is of no more use: the next call must meet another, perhaps of another server. */
export function isConnectionSpent(error: unknown): boolean {
  return someCause(error, (one) => codeMatches(one, SPENT) || SPENT_TEXT.test(one.message))
}

/** Whether an error says that the database cannot serve at this moment, rather than that a query was wrong. */
export function isDatabaseDown(error: unknown): boolean {
  return isConnectionSpent(error) || someCause(error, (one) => codeMatches(one, TRY_AGAIN))
}

function codeMatches(error: Error, codes: RegExp): boolean {
  return 'code' in error && typeof error.code === 'string' && codes.test(error.code)
}

function someCause(error: unknown, matches: (one: Error) => boolean): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if (matches(one)) return true
    if (one instanceof AggregateError && one.errors.some((each) => someCause(each, matches))) return true
  }
  return false
}
