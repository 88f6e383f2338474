import type { Database } from './database.ts'

/** Beyond this a batch holds up its first call for the sake of its last. */
const BATCH_MAXIMUM = 64
const LANES = 2
// a batch that takes longer waits for something that the next one need not wait for: its lane is free again
const LANE_MS = 20

interface Waiting<Ask, Answer> {
  ask: Ask
  resolve: (answer: Answer | Promise<Answer>) => void
  reject: (error: unknown) => void
}

/**
 * Calls that wait together go to the database together: one at once when it is idle, and while batches are under way, all
 * that came meanwhile as the next one. A batch that fails is tried again one by one, so that none of it pays for another.
 *
 * @param run answers in the order of what was asked; an answer that takes longer is a promise, which the others do not wait for
 */
export function inBatches<Ask, Answer>(
  run: (db: Database, asks: readonly Ask[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
): (db: Database, ask: Ask) => Promise<Answer> {
  const made = new WeakMap<Database, (ask: Ask) => Promise<Answer>>()
  return (db, ask) => {
    const known = made.get(db) ?? inLanes<Ask, Answer>((asks) => run(db, asks))
    made.set(db, known)
    return known(ask)
  }
}

function inLanes<Ask, Answer>(
  run: (asks: readonly Ask[]) => Promise<readonly (Answer | Promise<Answer>)[]>,
): (ask: Ask) => Promise<Answer> {
  const queue: Waiting<Ask, Answer>[] = []
  let underWay = 0

  function start(): void {
    while (underWay < LANES && queue.length > 0) void carry(queue.splice(0, BATCH_MAXIMUM))
  }

  async function carry(batch: Waiting<Ask, Answer>[]): Promise<void> {
    let isCounted = true
    underWay += 1
    const release = () => {
      if (!isCounted) return
      isCounted = false
      underWay -= 1
      start()
    }
    const leavingLane = setTimeout(release, LANE_MS)
    try {
      await answer(batch)
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      else await Promise.all(batch.map((one) => answer([one]).catch(one.reject)))
    } finally {
      clearTimeout(leavingLane)
      release()
    }
  }

  async function answer(batch: Waiting<Ask, Answer>[]): Promise<void> {
    const answers = await run(batch.map(({ ask }) => ask))
    if (answers.length !== batch.length) throw new Error(`${batch.length} calls got ${answers.length} answers`)
    for (const [at, { resolve }] of batch.entries()) resolve(answers[at] as Answer) // as many as were asked
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      queue.push({ ask, resolve, reject })
      start()
    })
}
