/** Replaces BroadcastChannel if the browser blocks it together with storage, as Firefox does: messages stay within this page. */
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
    // asynchronously, as in a browser, and not to a channel that was closed meanwhile
    queueMicrotask(() => {
      for (const one of others) if (open.has(one)) one.dispatchEvent(new MessageEvent('message', { data }))
    })
  }

  close(): void {
    open.delete(this)
  }
}
