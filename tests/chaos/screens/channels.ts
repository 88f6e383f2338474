import type { Tab } from './tab.ts'

/** `BroadcastChannel` of the tabs of one phone. */

export type Listener = (event: object) => void

export class Channel {
  readonly name: string
  readonly tab: Tab
  isClosed = false
  onmessage: Listener | undefined
  readonly #listeners = new Set<Listener>()

  constructor(name: string, tab: Tab) {
    this.name = name
    this.tab = tab
    tab.phone.addChannel(this)
  }
  postMessage(data: unknown): void {
    if (this.isClosed) throw new DOMException('closed', 'InvalidStateError')
    if (!this.tab.isDead) this.tab.phone.broadcast(this, data)
  }
  receive(data: unknown): void {
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
