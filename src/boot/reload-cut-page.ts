/**
 * Runs inline before anything else in the page: requests the page again if it was cut off before its own script (begin.ts), which
 * retries everything else. Browsers do not, and tell a page nothing of it. docs/decisions/0034-a-first-load-that-survives.md
 */
import { RELOAD_AGAIN_MS } from '#app/constants.ts'
import { wasReloaded } from '#app/was-reloaded.ts'

/** If nothing more of the page arrives for this long it was cut off; in a reloaded page RELOAD_AGAIN_MS. */
const CUT_AFTER_MS = 10_000

/** Past the browser's cache, which may have kept the part as if it were whole, and would be told that it is still valid. */
async function reload(): Promise<void> {
  // to its end, as leaving the page ends it
  await fetch(location.href, { cache: 'reload' })
    .then((reply) => reply.text())
    .catch(() => undefined)
  location.reload()
}

let arrived = -1
const timer = setInterval(
  () => {
    const { length } = document.documentElement.outerHTML
    if (window.earlyStart) clearInterval(timer)
    // without a connection the browser would show a page of its own instead
    else if (length === arrived && navigator.onLine) void reload()
    else arrived = length
  },
  wasReloaded() ? RELOAD_AGAIN_MS : CUT_AFTER_MS,
)
// in a browser that is too old for the page's script another page would not help
addEventListener('error', () => clearInterval(timer))
