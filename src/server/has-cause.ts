/** What `read` finds in an error, or in the first of its causes in which it finds something. */
export function findInCauses<T>(error: unknown, read: (one: Error) => T | undefined): T | undefined {
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    const found = read(one)
    if (found !== undefined) return found
    if (!(one instanceof AggregateError)) continue
    for (const each of one.errors) {
      const inside = findInCauses(each, read)
      if (inside !== undefined) return inside
    }
  }
  return undefined
}

/** Whether an error, or one that caused it, matches. */
export function hasCause(error: unknown, matches: (one: Error) => boolean): boolean {
  return findInCauses(error, (one) => matches(one) || undefined) ?? false
}
