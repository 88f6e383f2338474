declare global {
  interface Window {
    /** what the boot script (app/boot/begin.ts) asked for before the app was there, by address */
    early?: Record<string, { language: string; authorization: string | undefined; reply: Promise<Response> }>
  }
}

/** The reply under way for exactly this call of this person in this language; once, for a second call wants a second answer. */
export function takeEarly(address: string, headers: Record<string, string>): Promise<Response> | undefined {
  const { early } = globalThis as typeof globalThis & Pick<Window, 'early'>
  const asked = early?.[address]
  if (!early || !asked) return undefined
  delete early[address]
  const isTheSame = headers['accept-language'] === asked.language && headers['authorization'] === asked.authorization
  return isTheSame ? asked.reply : undefined
}

/** A reply that may be given up, like a fetch with this signal. */
export function until(signal: AbortSignal, reply: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    reply.then(resolve, reject)
  })
}
