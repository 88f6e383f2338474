/** Whether an error, or one that caused it, matches. */
export function hasCause(error: unknown, matches: (one: Error) => boolean): boolean {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if (matches(one)) return true
    if (one instanceof AggregateError && one.errors.some((each) => hasCause(each, matches))) return true
  }
  return false
}
