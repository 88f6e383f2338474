import { earlyStart, type EarlyReply } from '#app/early-start.ts'

/** The reply that the script in the page already requested for this call, if language and token are the same. Each is used once. */
export function takePrefetched(url: string, headers: Record<string, string>): Pick<EarlyReply, 'reply' | 'askedAt'> | undefined {
  const replies = earlyStart()?.replies
  const asked = replies?.[url]
  if (!replies || !asked) return undefined
  delete replies[url]
  const isTheSame = headers['accept-language'] === asked.language && headers['authorization'] === asked.authorization
  return isTheSame ? asked : undefined
}

/** Makes a reply, or its body, abortable, like a fetch with this signal. */
export function withSignal<T>(signal: AbortSignal, reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    reply.then(resolve, reject)
  })
}
