/** Says something to screen readers through the polite live region that stands in index.html from load. */
export function announce(text: string): void {
  const region = document.getElementById('announcer')
  if (!region) return
  // The same words twice would not be heard as a change.
  region.textContent = ''
  setTimeout(() => {
    region.textContent = text
  }, 50)
}
