import { LAST_LINE, LAST_RULE } from './build.ts'

/** A retry is aborted if no byte arrives for this long. */
const STUCK_MS = 20_000
/** A file that never has its end is used as it is: something on the way takes comments or empty rules out. */
export const CUT_TRIES = 4

export const isStyle = (file: string) => file.includes('.css')

/**
 * loaded: in the browser's cache · removed: of an older build than the server's · foreign: a captive portal's page ·
 * refused: an error of the server, a proxy or a filter, which no cache keeps · failed: the connection broke ·
 * stuck: nothing came · cut: it broke, but the part that arrived seems whole
 */
export type Outcome = 'loaded' | 'removed' | 'foreign' | 'refused' | 'failed' | 'stuck' | 'cut'

export async function fetchFile(file: string, cache: RequestCache): Promise<Outcome> {
  const stuck = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stuck.abort(), STUCK_MS)
  }
  restartTimer()
  try {
    const reply = await fetch(`/${file}`, { cache, signal: stuck.signal })
    if (reply.status === 404 || reply.status === 410) return 'removed'
    if (!reply.ok) return 'refused'
    if (!/javascript|css/.test(reply.headers.get('content-type') ?? '')) return 'foreign'
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      text += part.value
      restartTimer()
    }
    return text.endsWith(isStyle(file) ? LAST_RULE : LAST_LINE) ? 'loaded' : 'cut'
  } catch {
    return stuck.signal.aborted ? 'stuck' : 'failed'
  } finally {
    clearTimeout(timer)
  }
}
