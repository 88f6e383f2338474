import { IDBKeyRange } from 'fake-indexeddb'
import type * as PageModule from './page.tsx'
import { Channel, type Listener } from './channels.ts'
import { closeNow, disk, type RawConnection } from './disk.ts'
import type { Phone, Reply, Request } from './phone.ts'

/** One tab, from its opening to its end; a reload is another one. */
export class Tab {
  readonly phone: Phone
  readonly page: typeof PageModule
  isDead = false
  /** when it was opened, and what happened to it, epoch ms: each may be followed by calls */
  readonly stimuli: number[]
  /** every call it made */
  readonly calls: { at: number; path: string }[] = []
  readonly #session: Map<string, string>
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #connections = new Set<RawConnection>()

  constructor(phone: Phone, session: Map<string, string>) {
    this.phone = phone
    this.#session = session
    this.stimuli = [phone.ports.clock.now]
    this.page = phone.ports.evaluate(this.#globals())
  }

  async open(): Promise<void> {
    await this.page.open()
  }

  dispatch(event: { type: string } & Record<string, unknown>): void {
    if (this.isDead) return
    for (const listener of [...(this.#listeners.get(event.type) ?? [])]) listener(event)
  }

  /** The process ends: nothing of it runs any more. */
  kill(): void {
    if (this.isDead) return
    this.isDead = true
    this.phone.tabs = this.phone.tabs.filter((tab) => tab !== this)
    // a database that is being created or upgraded finishes first
    for (const connection of this.#connections) if (!connection._runningVersionchangeTransaction) closeNow(connection)
    this.phone.locks.release(this)
  }

  #listen(type: string, listener: Listener): void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners.add(listener))
  }

  async #fetch(url: string, init: RequestInit = {}): Promise<object> {
    const { signal } = init
    const path = url.replace(/^\/api\//, '')
    this.calls.push({ at: this.phone.ports.clock.now, path })
    const headers = (init.headers ?? {}) as Record<string, string>
    const request: Request = {
      method: init.method ?? 'GET',
      path,
      bearer: headers['authorization']?.slice('Bearer '.length),
      body: init.body as string | undefined,
    }
    return new Promise((resolve, reject) => {
      const fail = () => reject(signal?.reason as Error)
      if (signal?.aborted) return fail()
      signal?.addEventListener('abort', fail)
      this.phone.ports.network(request, this).then(
        (reply) => this.isDead || resolve(responseOf(reply)),
        (error: unknown) => this.isDead || reject(error as Error),
      )
    })
  }

  #globals(): Record<string, unknown> {
    const { clock, random } = this.phone.ports
    const timer = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      // whole milliseconds, as in a browser
      clock.after(Math.max(Math.floor(ms), 1), () => this.isDead || run(...given))
    const start = clock.now
    const listening = {
      addEventListener: (type: string, listener: Listener) => this.#listen(type, listener),
      removeEventListener: (type: string, listener: Listener) => this.#listeners.get(type)?.delete(listener),
    }
    const globals: Record<string, unknown> = {
      ...listening,
      dispatchEvent: (event: { type: string }) => this.dispatch({ ...event, type: event.type, detail: (event as CustomEvent).detail }),
      CustomEvent,
      setTimeout: timer,
      clearTimeout: (task?: object) => clock.cancel(task),
      setInterval: (run: () => void, ms: number) => {
        const interval = { isCancelled: false }
        const repeat = () => {
          if (interval.isCancelled || this.isDead) return
          run()
          clock.after(ms, repeat)
        }
        clock.after(ms, repeat)
        return interval
      },
      clearInterval: (task?: object) => clock.cancel(task),
      requestAnimationFrame: (run: (at: number) => void) => timer(() => run(clock.now - start), 16),
      cancelAnimationFrame: (task?: object) => clock.cancel(task),
      setImmediate: undefined,
      // React's server renderer makes one, and needs none
      MessageChannel: class {
        port1 = {}
        port2 = { postMessage: quiet }
      },
      document: {
        ...listening,
        visibilityState: 'visible',
        hidden: false,
        documentElement: { lang: 'en' },
        cookie: '',
      },
      navigator: Object.defineProperty({ languages: ['en'], userAgent: 'model', locks: this.phone.locks.of(this) }, 'onLine', {
        get: () => this.phone.isOnline,
      }),
      location: { origin: 'https://touchline.example', pathname: '/', search: '', hash: '', href: 'https://touchline.example/' },
      history: { state: null, pushState: () => undefined, replaceState: () => undefined },
      localStorage: this.#storage(this.phone.local, true),
      sessionStorage: this.#storage(this.#session, false),
      indexedDB: this.#indexedDb(),
      IDBKeyRange,
      fetch: (url: string, init?: RequestInit) => (this.isDead ? new Promise(() => undefined) : this.#fetch(url, init)),
      BroadcastChannel: new Proxy(Channel, { construct: (_, [name]: [string]) => new Channel(name, this) }),
      AbortSignal: {
        timeout: (ms: number) => {
          const controller = new AbortController()
          timer(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms)
          return controller.signal
        },
        any: (signals: AbortSignal[]) => AbortSignal.any(signals),
      },
      performance: { now: () => clock.now - start },
      Date: class extends Date {
        constructor(...given: [] | [number | string]) {
          super(given.length === 0 ? clock.now : given[0])
        }
        static override now() {
          return Math.floor(clock.now)
        }
      },
      Math: Object.create(Math, { random: { value: () => random.next() } }),
      crypto: {
        randomUUID: () => random.uuid(),
        getRandomValues: (into: Uint8Array) => into.map(() => random.below(256)),
      },
      console: { log: quiet, warn: quiet, error: quiet, info: quiet, debug: quiet },
      caches: { match: async () => undefined },
      matchMedia: () => ({ matches: false, ...listening }),
    }
    return globals
  }

  #storage(values: Map<string, string>, isShared: boolean): object {
    const notifyOthers = (key: string | null, newValue: string | null) => {
      if (!isShared) return
      for (const other of this.phone.tabs)
        if (other !== this) this.phone.ports.clock.soon(() => other.dispatch({ type: 'storage', key, newValue }))
    }
    const methods = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (this.isDead) return
        if (disk.isFull && !values.has(key) && !takeRoom(values, key.length + value.length))
          throw new DOMException('full', 'QuotaExceededError')
        const isNew = values.get(key) !== value
        values.set(key, value)
        if (isNew) notifyOthers(key, value)
      },
      removeItem: (key: string) => {
        if (this.isDead) return
        freeRoom(values, [key])
        if (values.delete(key)) notifyOthers(key, null)
      },
      clear: () => {
        if (this.isDead) return
        freeRoom(values, values.keys())
        values.clear()
        notifyOthers(null, null)
      },
    }
    return new Proxy(methods, {
      ownKeys: () => [...values.keys()],
      getOwnPropertyDescriptor: (_, key) =>
        typeof key === 'string' && values.has(key) ? { value: values.get(key), enumerable: true, configurable: true } : undefined,
    })
  }

  #indexedDb(): object {
    const { phone } = this
    return {
      open: (name: string, version?: number) => {
        // nothing of a killed page runs any more
        if (this.isDead || (phone.isCopyHung && name === 'touchline-session'))
          return Object.assign(new EventTarget(), { readyState: 'pending' })
        const request = version === undefined ? phone.factory.open(name) : phone.factory.open(name, version)
        const note = () => {
          // a request that failed has no result
          const connection = request.readyState === 'done' && !request.error ? (request.result as unknown as RawConnection) : undefined
          if (!connection) return
          this.#connections.add(connection)
          if (this.isDead) closeNow(connection)
        }
        request.addEventListener('success', note)
        return request
      },
      deleteDatabase: (name: string) => phone.factory.deleteDatabase(name),
      cmp: (one: unknown, other: unknown) => phone.factory.cmp(one, other),
      databases: () => phone.factory.databases(),
    }
  }
}

const quiet = () => undefined

/** On a full disk a storage takes no more than was removed from it since; characters. */
const rooms = new WeakMap<Map<string, string>, number>()

function freeRoom(values: Map<string, string>, keys: Iterable<string>): void {
  let room = disk.isFull ? (rooms.get(values) ?? 0) : 0
  if (disk.isFull) for (const key of keys) if (values.has(key)) room += key.length + (values.get(key) ?? '').length
  rooms.set(values, room)
}

function takeRoom(values: Map<string, string>, size: number): boolean {
  const room = (rooms.get(values) ?? 0) - size
  if (room >= 0) rooms.set(values, room)
  return room >= 0
}

function responseOf({ status, headers = {}, body }: Reply): object {
  const isJson = typeof body !== 'string'
  const all: Record<string, string> = { 'content-type': isJson ? 'application/json' : 'text/html', ...headers }
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name: string) => all[name] ?? null },
    json: async () => {
      if (isJson) return structuredClone(body)
      throw new SyntaxError('not JSON')
    },
  }
}
