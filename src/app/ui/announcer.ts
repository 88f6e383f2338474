import { ANNOUNCED_MS } from '#app/constants.ts'

let saying: ReturnType<typeof setTimeout> | undefined

/**
 * Says something to screen readers through the polite live region that stands in index.html from load. It is empty again
 * once that was said: whoever reads on through the page must not meet the words of a moment that is over.
 */
export function announce(text: string): void {
  const region = document.getElementById('announcer')
  if (!region) return
  clearTimeout(saying)
  // The same words twice would not be heard as a change.
  region.textContent = ''
  saying = setTimeout(() => {
    region.textContent = text
    saying = setTimeout(() => {
      region.textContent = ''
    }, ANNOUNCED_MS)
  }, 50)
}
