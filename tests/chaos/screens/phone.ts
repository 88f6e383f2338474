import { IDBFactory } from 'fake-indexeddb'
import type { AnswerRow } from '#app/sync/sync.ts'
import type { Random } from '../scheduler.ts'
import type { Channel } from './channels.ts'
import type { Clock } from './clock.ts'
import { closeNow, eventOf, type RawDatabase, type RawTransaction } from './disk.ts'
import { Locks } from './locks.ts'
import type * as PageModule from './page.tsx'
import { Tab } from './tab.ts'

/** A phone with one browser: its databases, local storage and tabs. What each tab sees of it: tab.ts. */

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

/** The network between a phone and the server. Rejects if there is no reply; one that never settles is a time-out. */
export type Network = (request: Request, page: Tab) => Promise<Reply>

export interface PhonePorts {
  clock: Clock
  random: Random
  network: Network
  /** evaluates the portal's script with these globals */
  evaluate: (globals: Record<string, unknown>) => typeof PageModule
}

export class Phone {
  readonly ports: PhonePorts
  readonly local = new Map<string, string>()
  /** as it last was on the disk: a killed browser restarts with this */
  #flushed = new Map<string, string>()
  tabs: Tab[] = []
  /** every tab that was ever opened */
  readonly opened: Tab[] = []
  isOnline = true
  /** requests for the database of the sign-in are lost */
  isCopyHung = false
  factory = new IDBFactory()
  /** deletions that wait until the open pages have closed the database */
  readonly #deletions = new Map<string, object>()
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
    if (this.#deletions.has('touchline')) return []
    return (this.#raw()?.rawObjectStores.get(table)?.getAllValues() ?? []) as Row[]
  }

  hasIdOnDisk(): boolean {
    return this.rows<{ key: string }>('device').some(({ key }) => key === 'id')
  }

  /** Whether `rows` would show what a transaction has done so far, as between removing rows and putting back those that stay. */
  isWriting(): boolean {
    const isUnderWay = ({ mode, _started, _state }: RawTransaction) => mode !== 'readonly' && _started && _state !== 'finished'
    return this.#raw()?.transactions.some(isUnderWay) ?? false
  }

  #raw(): RawDatabase | undefined {
    return (this.factory as unknown as { _databases: Map<string, RawDatabase> })._databases.get('touchline')
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

  /** Another tab, or the person, deletes the database: open pages get the event. */
  deleteDatabase(name: string): void {
    const deletion = this.factory.deleteDatabase(name)
    this.#deletions.set(name, deletion)
    deletion.addEventListener('success', () => {
      if (this.#deletions.get(name) === deletion) this.#deletions.delete(name)
    })
  }

  /** By the person, in the browser's settings: on the disk at once, as Chromium does it. */
  clearLocal(): void {
    this.local.clear()
    this.flush()
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

  addChannel(channel: Channel): void {
    this.#channels.add(channel)
  }

  broadcast(from: Channel, data: unknown): void {
    const copy = structuredClone(data)
    for (const channel of this.#channels) {
      if (channel.isClosed || channel.tab.isDead) this.#channels.delete(channel)
      else if (channel !== from && channel.name === from.name) this.ports.clock.soon(() => channel.receive(copy))
    }
  }
}
