import { page } from '#app/begun.ts'

/** The reply under way for exactly this call of this person in this language; once, for a second call wants a second reply. */
export function takePrefetched(address: string, headers: Record<string, string>): Promise<Response> | undefined {
  const replies = page.begun?.replies
  const asked = replies?.[address]
  if (!replies || !asked) return undefined
  delete replies[address]
  const isTheSame = headers['accept-language'] === asked.language && headers['authorization'] === asked.authorization
  return isTheSame ? asked.reply : undefined
}

/** A reply that may be given up, like a fetch with this signal. */
export function withSignal(signal: AbortSignal, reply: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    reply.then(resolve, reject)
  })
}
