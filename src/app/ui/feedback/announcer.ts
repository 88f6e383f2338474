import { ANNOUNCED_MS } from '#app/constants.ts'

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Announces a text to screen readers through the polite live region in index.html. It is cleared afterwards, so that nobody
 * reading through the page comes across it.
 * @param afterMs the same text set twice at once would not be announced again
 */
export function announce(text: string, afterMs = 50): void {
  const region = document.getElementById('announcer')
  if (!region) return
  clearTimeout(timer)
  region.textContent = ''
  timer = setTimeout(() => {
    region.textContent = text
    timer = setTimeout(() => {
      region.textContent = ''
    }, ANNOUNCED_MS)
  }, afterMs)
}
