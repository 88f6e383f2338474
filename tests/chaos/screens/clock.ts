/** A clock that stands still until it is advanced; everything that waits for it runs in a fixed order. */

interface Task {
  at: number
  order: number
  run: () => void
  isCancelled: boolean
}

/** A task of IndexedDB, of a channel between tabs or the like takes this long, ms. */
const SOON_MS = 0.05
/** More than any ten minutes need: a loop without a wait. */
const TASKS_MAXIMUM = 300_000

export class Clock {
  /** epoch ms; a Monday */
  now = Date.UTC(2026, 0, 5, 12)
  /** a binary heap, the next one first */
  #tasks: Task[] = []
  #order = 0

  /** Runs it after `ms`. Returns what `cancel` takes. */
  after(ms: number, run: () => void): object {
    this.#order += 1
    const task = { at: this.now + Math.max(ms, 0), order: this.#order, run, isCancelled: false }
    this.#push(task)
    return task
  }

  soon(run: () => void): void {
    this.after(SOON_MS, run)
  }

  cancel(task: object | undefined): void {
    if (task) (task as Task).isCancelled = true
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  /** Lets time pass until `work` is done or has failed, at most `ms`. */
  async until(work: Promise<unknown>, ms: number): Promise<void> {
    const state = { isDone: false }
    const note = () => {
      state.isDone = true
    }
    work.then(note, note)
    for (const end = this.now + ms; !state.isDone && this.now < end;) await this.advance(10)
  }

  /** Lets `ms` pass, with everything that happens meanwhile. One call at a time. */
  async advance(ms: number): Promise<void> {
    const end = this.now + ms
    await promisesSettled()
    let ran = 0
    for (let next = this.#tasks[0]; next && next.at <= end; next = this.#tasks[0]) {
      ran += 1
      if (ran > TASKS_MAXIMUM) throw new Error(`something never rests: ${next.run.toString()}`)
      this.#pop()
      if (next.isCancelled) continue
      this.now = Math.max(this.now, next.at)
      next.run()
      await promisesSettled()
    }
    this.now = end
  }

  #push(task: Task): void {
    const tasks = this.#tasks
    let at = tasks.push(task) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBefore(task, tasks[above] as Task)) break
      tasks[at] = tasks[above] as Task
      at = above
    }
    tasks[at] = task
  }

  #pop(): void {
    const tasks = this.#tasks
    const last = tasks.pop()
    if (!last || tasks.length === 0) return
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= tasks.length) break
      if (below + 1 < tasks.length && isBefore(tasks[below + 1] as Task, tasks[below] as Task)) below += 1
      if (!isBefore(tasks[below] as Task, last)) break
      tasks[at] = tasks[below] as Task
      at = below
    }
    tasks[at] = last
  }
}

const isBefore = (one: Task, other: Task) => one.at < other.at || (one.at === other.at && one.order < other.order)

/** Resolves when no promise has anything left to do: Node runs a tick only after all of them. */
function promisesSettled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

/** Runs something in which fake-indexeddb waits by this clock. */
export async function withClock<T>(clock: Clock, run: () => Promise<T>): Promise<T> {
  const { setImmediate } = globalThis
  globalThis.setImmediate = ((task: () => void) => clock.soon(task)) as unknown as typeof setImmediate
  try {
    return await run()
  } finally {
    globalThis.setImmediate = setImmediate
  }
}
