/** Work of one key, one piece after the other in the order it came; `full` where more than `maximum` pieces would wait. */
export function takeTurns(maximum: number): <T>(key: string, work: () => Promise<T>) => Promise<{ done: T } | 'full'> {
  const queues = new Map<string, { length: number; last: Promise<unknown> }>()

  return async (key, work) => {
    const queue = queues.get(key) ?? { length: 0, last: Promise.resolve() }
    // one of them is at work
    if (queue.length > maximum) return 'full'
    queues.set(key, queue)
    queue.length += 1
    const turn = queue.last.then(work)
    queue.last = turn.catch(() => undefined)
    try {
      return { done: await turn }
    } finally {
      queue.length -= 1
      if (queue.length === 0) queues.delete(key)
    }
  }
}
