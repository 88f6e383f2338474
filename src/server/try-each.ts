/** The failures in a row after which the rest is left: what they all need is away, and each may wait for its time limit. */
const LEFT_AFTER = 3

/** Does a step for each, whatever failed for others. Throws the last failure: in the end, or once the rest is left. */
export async function tryEach<T>(items: Iterable<T> | AsyncIterable<T>, step: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  let inARow = 0
  for await (const item of items) {
    try {
      await step(item)
      inARow = 0
    } catch (error) {
      failures.push(error)
      inARow += 1
      if (inARow === LEFT_AFTER) break
    }
  }
  if (failures.length > 0) throw failures.at(-1)
}
