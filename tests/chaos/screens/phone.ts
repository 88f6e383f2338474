import { IDBFactory, IDBKeyRange, IDBObjectStore, IDBTransaction, IDBVersionChangeEvent } from 'fake-indexeddb'
import type { AnswerRow } from '#app/sync/sync.ts'
import type { Random } from '../scheduler.ts'
import type { Clock } from './clock.ts'
import type * as PageModule from './page.tsx'

/** A phone with one browser: its disk, and its tabs, each with a window of its own in which the portal's script runs. */

export interface Request {
  method: string
  /** after `/api/` */
  path: string
  bearer: string | undefined
  body: string | undefined
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  /** a string is sent as it is, as HTML; undefined: no body */
  body?: unknown
}

/** What lies between a phone and the server. Rejects where no reply comes; one that never settles is a time-out. */
export type Line = (request: Request, page: Tab) => Promise<Reply>

export interface PhonePorts {
  clock: Clock
  random: Random
  line: Line
  /** evaluates the portal's script with these globals */
  evaluate: (globals: Record<string, unknown>) => typeof PageModule
}

type Listener = (event: object) => void

/** The disk is one for all phones of a history. fake-indexeddb has no quota, so a transaction that writes is aborted at its commit. */
export const disk = { isFull: false }
const doomed = new WeakSet<object>()
for (const name of ['put', 'add'] as const) {
  const original = IDBObjectStore.prototype[name]
  IDBObjectStore.prototype[name] = function write(this: IDBObjectStore, ...given: [unknown, IDBValidKey?]) {
    if (disk.isFull) doomed.add(this.transaction)
    return original.apply(this, given)
  }
}
interface RawTransaction {
  db: RawConnection
  _state: string
  _requests: { request: { readyState: string } }[]
  _abort: (name: string) => void
  _start: () => void
}
const transactions = IDBTransaction.prototype as unknown as RawTransaction
const { _start: goOn } = transactions
transactions._start = function start(this: RawTransaction) {
  const isAtCommit = this._state !== 'finished' && this._requests.every(({ request }) => request.readyState === 'done')
  if (isAtCommit && doomed.has(this)) this._abort('QuotaExceededError')
  else goOn.call(this)
}

interface RawDatabase {
  connections: RawConnection[]
  transactions: RawTransaction[]
  rawObjectStores: Map<string, { getAllValues: () => unknown[] }>
}
interface RawConnection {
  _closed: boolean
  _closePending: boolean
  _runningVersionchangeTransaction: boolean
  _rawDatabase: RawDatabase
  dispatchEvent: (event: object) => void
}

export class Phone {
  readonly ports: PhonePorts
  readonly local = new Map<string, string>()
  /** as a browser last had it on the disk: killed, it comes back to this */
  #flushed = new Map<string, string>()
  tabs: Tab[] = []
  /** every one there ever was */
  readonly opened: Tab[] = []
  isOnline = true
  factory = new IDBFactory()
  /** deletions that wait until the open pages have closed the database: what is in it does not stay */
  readonly #removals = new Map<string, object>()
  readonly #channels = new Set<Channel>()
  readonly locks: Locks

  constructor(ports: PhonePorts) {
    this.ports = ports
    this.locks = new Locks(ports.clock)
  }

  open(): Tab {
    const tab = new Tab(this, new Map())
    this.tabs.push(tab)
    this.opened.push(tab)
    return tab
  }

  /** The rows of a table of the portal's database that the disk keeps. */
  rows<Row = AnswerRow & { userId: string }>(table: string): Row[] {
    if (this.#removals.has('touchline')) return []
    const raw = (this.factory as unknown as { _databases: Map<string, RawDatabase> })._databases.get('touchline')
    return (raw?.rawObjectStores.get(table)?.getAllValues() ?? []) as Row[]
  }

  /** The databases are deleted under open pages, as a browser does that is short of space; `close` events may be missing. */
  evict(hasEvents: boolean): void {
    const raw = (this.factory as unknown as { _databases: Map<string, RawDatabase> })._databases
    const connections = [...raw.values()].flatMap((database) => database.connections)
    // fake-indexeddb would never end an upgrade that is interrupted
    if (connections.some(({ _runningVersionchangeTransaction: isUpgrading }) => isUpgrading)) return
    raw.clear()
    for (const connection of connections) {
      closeNow(connection)
      if (hasEvents) this.ports.clock.soon(() => connection.dispatchEvent(eventOf('close')))
    }
  }

  /** Another tab, or the person, deletes the database: open pages are told. */
  remove(name: string): void {
    const removal = this.factory.deleteDatabase(name)
    this.#removals.set(name, removal)
    removal.addEventListener('success', () => {
      if (this.#removals.get(name) === removal) this.#removals.delete(name)
    })
  }

  clearLocal(): void {
    this.local.clear()
    for (const tab of this.tabs) this.ports.clock.soon(() => tab.dispatch({ type: 'storage', key: null, newValue: null }))
  }

  /** Local storage reaches the disk. */
  flush(): void {
    this.#flushed = new Map(this.local)
  }

  /** The whole browser dies: local storage comes back as it last was on the disk. */
  kill(): void {
    for (const tab of [...this.tabs]) tab.kill()
    this.local.clear()
    for (const [key, value] of this.#flushed) this.local.set(key, value)
  }

  setOnline(isOnline: boolean): void {
    this.isOnline = isOnline
    for (const tab of this.tabs) tab.dispatch({ type: isOnline ? 'online' : 'offline' })
  }

  join(channel: Channel): void {
    this.#channels.add(channel)
  }

  post(from: Channel, data: unknown): void {
    const copy = structuredClone(data)
    for (const channel of this.#channels) {
      if (channel.isClosed || channel.tab.isDead) this.#channels.delete(channel)
      else if (channel !== from && channel.name === from.name) this.ports.clock.soon(() => channel.hear(copy))
    }
  }
}

/** As a browser does: what was not committed is undone. */
function closeNow(connection: RawConnection): void {
  for (const transaction of connection._rawDatabase.transactions)
    if (transaction.db === connection && transaction._state !== 'finished') transaction._abort('AbortError')
  connection._closePending = connection._closed = true
  connection._rawDatabase.connections = connection._rawDatabase.connections.filter((other) => other !== connection)
}

// an event of fake-indexeddb's own, as its listeners expect
const eventOf = (type: string) => Object.assign(new IDBVersionChangeEvent(type), { eventPath: [] })

class Channel {
  readonly name: string
  readonly tab: Tab
  isClosed = false
  onmessage: Listener | undefined
  readonly #listeners = new Set<Listener>()

  constructor(name: string, tab: Tab) {
    this.name = name
    this.tab = tab
    tab.phone.join(this)
  }
  postMessage(data: unknown): void {
    if (this.isClosed) throw new DOMException('closed', 'InvalidStateError')
    if (!this.tab.isDead) this.tab.phone.post(this, data)
  }
  hear(data: unknown): void {
    if (this.isClosed || this.tab.isDead) return
    this.onmessage?.({ data })
    for (const listener of [...this.#listeners]) listener({ data })
  }
  addEventListener(_: string, listener: Listener): void {
    this.#listeners.add(listener)
  }
  removeEventListener(_: string, listener: Listener): void {
    this.#listeners.delete(listener)
  }
  close(): void {
    this.isClosed = true
  }
}

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
class Locks {
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

  get hasAsked(): boolean {
    return (this.#listeners.get('beforeunload')?.size ?? 0) > 0
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
    // one that is being made or upgraded ends first
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
      this.phone.ports.line(request, this).then(
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
        const turn = { isOff: false }
        const again = () => {
          if (turn.isOff || this.isDead) return
          run()
          clock.after(ms, again)
        }
        clock.after(ms, again)
        return turn
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
    const tell = (key: string | null, newValue: string | null) => {
      if (!isShared) return
      for (const other of this.phone.tabs)
        if (other !== this) this.phone.ports.clock.soon(() => other.dispatch({ type: 'storage', key, newValue }))
    }
    const methods = {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (this.isDead) return
        if (disk.isFull && !values.has(key)) throw new DOMException('full', 'QuotaExceededError')
        const isNew = values.get(key) !== value
        values.set(key, value)
        if (isNew) tell(key, value)
      },
      removeItem: (key: string) => {
        if (!this.isDead && values.delete(key)) tell(key, null)
      },
      clear: () => {
        if (this.isDead) return
        values.clear()
        tell(null, null)
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
