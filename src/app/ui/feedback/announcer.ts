import { ANNOUNCED_MS } from '#app/constants.ts'

let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Announces a text to screen readers through the polite live region in index.html. It is cleared afterwards, so that nobody
 * reading through the page comes across it.
 */
export function announce(text: string): void {
  const region = document.getElementById('announcer')
  if (!region) return
  clearTimeout(timer)
  // the same text set twice would not be announced again
  region.textContent = ''
  timer = setTimeout(() => {
    region.textContent = text
    timer = setTimeout(() => {
      region.textContent = ''
    }, ANNOUNCED_MS)
  }, 50)
}
