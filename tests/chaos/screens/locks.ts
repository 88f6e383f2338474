import type { Clock } from './clock.ts'
import type { Tab } from './tab.ts'

interface LockOptions {
  mode?: 'shared' | 'exclusive'
  signal?: AbortSignal
  steal?: boolean
}
interface Lock {
  name: string
  mode: 'shared' | 'exclusive'
  tab: Tab
  begin: () => void
  reject: (error: unknown) => void
}

/** `navigator.locks` of one browser. */
export class Locks {
  #held: Lock[] = []
  #pending: Lock[] = []
  readonly #clock: Clock
  constructor(clock: Clock) {
    this.#clock = clock
  }

  of(tab: Tab): object {
    return {
      request: (name: string, ...[first, second]: [LockOptions | (() => unknown), (() => unknown)?]) => {
        const [options, run] = typeof first === 'function' ? [{}, first] : [first, second as () => unknown]
        return this.#request(tab, name, options, run)
      },
      query: async () => ({ held: this.#held.map(({ name }) => ({ name })), pending: this.#pending.map(({ name }) => ({ name })) }),
    }
  }

  #request(tab: Tab, name: string, { mode = 'exclusive', signal, steal }: LockOptions, run: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (tab.isDead) return
      const begin = () => {
        this.#pending = this.#pending.filter((other) => other !== lock)
        this.#held.push(lock)
        this.#clock.soon(() => {
          if (tab.isDead) return
          const done = (settle: () => void) => {
            this.#held = this.#held.filter((other) => other !== lock)
            settle()
            this.#grant()
          }
          Promise.resolve()
            .then(run)
            .then(
              (value) => done(() => resolve(value)),
              (error: unknown) => done(() => reject(error)),
            )
        })
      }
      const lock: Lock = { name, mode, tab, begin, reject }
      if (steal) {
        for (const held of this.#held) if (held.name === name) held.reject(new DOMException('stolen', 'AbortError'))
        this.#held = this.#held.filter((held) => held.name !== name)
        return begin()
      }
      signal?.addEventListener('abort', () => {
        if (!this.#pending.includes(lock)) return
        this.#pending = this.#pending.filter((other) => other !== lock)
        reject(signal.reason)
      })
      this.#pending.push(lock)
      this.#grant()
    })
  }

  #grant(): void {
    for (const lock of [...this.#pending]) {
      const isBehind = this.#pending.some((other) => other.name === lock.name && this.#pending.indexOf(other) < this.#pending.indexOf(lock))
      const held = this.#held.filter(({ name }) => name === lock.name)
      if (!isBehind && held.every(({ mode }) => mode === 'shared' && lock.mode === 'shared')) lock.begin()
    }
  }

  release(tab: Tab): void {
    this.#held = this.#held.filter((lock) => lock.tab !== tab)
    this.#pending = this.#pending.filter((lock) => lock.tab !== tab)
    this.#grant()
  }
}
