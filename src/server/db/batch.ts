import type { Database } from './database.ts'

/** A larger batch would delay its first call for its last. */
const BATCH_MAXIMUM = 64
/** Batches at once, of calls that only read: with a second batch, one that arrives meanwhile waits less. */
const CONCURRENCY = 2
// a batch that takes longer is probably waiting for a lock that the next one does not need, so it is counted no longer
const SLOW_BATCH_MS = 20

interface PendingInput<Input, Output> {
  input: Input
  resolve: (output: Output | Promise<Output>) => void
  reject: (error: unknown) => void
}

/**
 * Sends concurrent calls to the database in batches: those that arrive in one turn of the event loop, or while batches are running, form the
 * next one, which is sent before the calls of the last one continue. The calls of a failed batch are retried one by
 * one, so that none fails because of another.
 *
 * @param run resolves to the outputs in the order of the inputs; an output that takes longer may be a promise, which the others
 * do not wait for
 * @param concurrency how many batches may run at once. One for calls that write, because larger batches cost the database less
 */
export function inBatches<Input, Output>(
  run: (db: Database, inputs: readonly Input[]) => Promise<readonly (Output | Promise<Output>)[]>,
  concurrency = CONCURRENCY,
): (db: Database, input: Input) => Promise<Output> {
  const batchers = new WeakMap<Database, (input: Input) => Promise<Output>>()
  return (db, input) => {
    const batcher = batchers.get(db) ?? createBatcher<Input, Output>((inputs) => run(db, inputs), concurrency)
    batchers.set(db, batcher)
    return batcher(input)
  }
}

function createBatcher<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly (Output | Promise<Output>)[]>,
  concurrency: number,
): (input: Input) => Promise<Output> {
  const queue: PendingInput<Input, Output>[] = []
  let running = 0
  let isStarting = false

  /** Starts a batch in the next turn of the event loop, so that calls that arrive in this one go together. */
  function startSoon(): void {
    if (isStarting || running >= concurrency || queue.length === 0) return
    isStarting = true
    setImmediate(() => {
      isStarting = false
      start()
    })
  }

  function start(): void {
    while (running < concurrency && queue.length > 0) void runBatch(queue.splice(0, BATCH_MAXIMUM))
  }

  async function runBatch(batch: PendingInput<Input, Output>[]): Promise<void> {
    let isCounted = true
    running += 1
    const release = () => {
      if (!isCounted) return
      isCounted = false
      running -= 1
      start()
    }
    const timer = setTimeout(release, SLOW_BATCH_MS)
    try {
      const outputs = await outputsOf(batch)
      // before this process turns to the replies, so that the database has work meanwhile
      release()
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Output) // the lengths are equal
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else await Promise.all(batch.map(runAlone))
    } finally {
      clearTimeout(timer)
      release()
    }
  }

  async function runAlone(one: PendingInput<Input, Output>): Promise<void> {
    try {
      const [output] = await outputsOf([one])
      one.resolve(output as Output)
    } catch (error) {
      one.reject(error)
    }
  }

  async function outputsOf(batch: readonly PendingInput<Input, Output>[]): Promise<readonly (Output | Promise<Output>)[]> {
    const outputs = await run(batch.map(({ input }) => input))
    if (outputs.length !== batch.length) throw new Error(`a batch of ${batch.length} calls got ${outputs.length} results`)
    return outputs
  }

  return (input) =>
    new Promise((resolve, reject) => {
      queue.push({ input, resolve, reject })
      startSoon()
    })
}
