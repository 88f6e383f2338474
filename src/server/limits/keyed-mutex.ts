/** Runs the work of each key one piece at a time, in order of arrival. Resolves to `full` if `maximum` pieces are already waiting. */
export function createKeyedMutex(maximum: number): <T>(key: string, work: () => Promise<T>) => Promise<{ done: T } | 'full'> {
  const queues = new Map<string, { length: number; last: Promise<unknown> }>()

  return async (key, work) => {
    const queue = queues.get(key) ?? { length: 0, last: Promise.resolve() }
    // the queue includes the piece that is running
    if (queue.length > maximum) return 'full'
    queues.set(key, queue)
    queue.length += 1
    const running = queue.last.then(work)
    queue.last = running.catch(() => undefined)
    try {
      return { done: await running }
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(key)
    }
  }
}
