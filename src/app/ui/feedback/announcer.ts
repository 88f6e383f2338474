import { ANNOUNCED_MS } from '#app/constants.ts'

let saying: ReturnType<typeof setTimeout> | undefined

/**
 * Announces something to screen readers through the polite live region in index.html. It is cleared afterwards, so that nobody
 * reading through the page comes across an old announcement.
 */
export function announce(text: string): void {
  const region = document.getElementById('announcer')
  if (!region) return
  clearTimeout(saying)
  // the same words twice would be no change
  region.textContent = ''
  saying = setTimeout(() => {
    region.textContent = text
    saying = setTimeout(() => {
      region.textContent = ''
    }, ANNOUNCED_MS)
  }, 50)
}
