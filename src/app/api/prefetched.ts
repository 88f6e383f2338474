/** What the boot script (app/boot/begin.ts) began before the app was there, for the app to take over. */
export interface Boot {
  /** replies under way, by address */
  replies: Record<string, { language: string; authorization: string | undefined; reply: Promise<Response> }>
  /** the device's database */
  database?: IDBOpenDBRequest
}

declare global {
  interface Window {
    __boot?: Boot
  }
}

/** The reply under way for exactly this call of this person in this language; once, because a second call wants a reply of its own. */
export function takePrefetched(address: string, headers: Record<string, string>): Promise<Response> | undefined {
  const { __boot: boot } = globalThis as typeof globalThis & Pick<Window, '__boot'>
  const asked = boot?.replies[address]
  if (!boot || !asked) return undefined
  delete boot.replies[address]
  const isTheSame = headers['accept-language'] === asked.language && headers['authorization'] === asked.authorization
  return isTheSame ? asked.reply : undefined
}

/** The request to open the device's database that the boot script made; once. */
export function takeDatabaseRequest(): IDBOpenDBRequest | undefined {
  const { __boot: boot } = globalThis as typeof globalThis & Pick<Window, '__boot'>
  const request = boot?.database
  delete boot?.database
  return request
}

/** A reply that may be given up, like a fetch with this signal. */
export function withSignal(signal: AbortSignal, reply: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    reply.then(resolve, reject)
  })
}
