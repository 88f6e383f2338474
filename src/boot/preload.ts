import { isStyle } from './fetch-file.ts'

/** A style sheet that applies, or a script's preload. Resolves to whether it has loaded. */
export function addLink(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    // as a module it is compiled while it loads, off the page's thread
    const script = isFromWorker() ? { rel: 'modulepreload' } : { rel: 'preload', as: 'script' }
    const kind = isStyle(file) ? { rel: 'stylesheet' } : { ...script, crossOrigin: '' }
    const link = Object.assign(document.createElement('link'), kind, { href: `/${file}` })
    link.addEventListener('load', () => resolve(true))
    link.addEventListener('error', () => resolve(false))
    // in the place of the link that failed: a style sheet's rules must not come after those of the next one
    const failed = document.querySelector(`link[rel="stylesheet"][href*="/${file}"]`)
    if (failed) failed.replaceWith(link)
    else document.head.append(link)
  })
}

/** The worker's files are at hand and whole. */
const isFromWorker = () => Boolean(navigator.serviceWorker?.controller)

/** Whether a file arrived empty. Browsers may not tell the size of what the worker sends, but that is whole. */
export function seemsEmpty(file: string): boolean {
  const arrived = performance.getEntriesByName(new URL(`/${file}`, location.href).href).pop()
  return (arrived as PerformanceResourceTiming | undefined)?.decodedBodySize === 0 && !isFromWorker()
}
