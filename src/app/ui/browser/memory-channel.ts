/**
 * In place of the browser's channels between tabs, where it blocks those with what pages store, as Firefox does: the page then has its
 * own, which only this page hears.
 */
const open = new Set<MemoryChannel>()

export class MemoryChannel extends EventTarget {
  readonly name: string
  onmessage: ((event: MessageEvent) => void) | null = null

  constructor(name: string) {
    super()
    this.name = name
    open.add(this)
    this.addEventListener('message', (event) => this.onmessage?.(event as MessageEvent))
  }

  postMessage(message: unknown): void {
    const data: unknown = structuredClone(message)
    const others = [...open].filter((one) => one !== this && one.name === this.name)
    // later, as a browser tells them, and not to one that is closed meanwhile
    queueMicrotask(() => {
      for (const one of others) if (open.has(one)) one.dispatchEvent(new MessageEvent('message', { data }))
    })
  }

  close(): void {
    open.delete(this)
  }
}
