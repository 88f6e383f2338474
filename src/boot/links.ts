import { LAST_SELECTOR } from './build.ts'
import { addLink } from './preload.ts'
import type { Retries } from './retries.ts'

/** Added to the address of a style sheet that was cut: Firefox keeps it apart from its cache of files, for as long as it runs. */
const ANEW = '?anew'

/** Addresses of links that failed: the bundler's import adds one for each file, and WebKit has no resource entry for what failed. */
export const failedLinks = new Set<string>()

/** Mends style sheets, also of a later screen: the browser would use a cut one as it is, and it has not loaded before it is whole. */
export function watchLinks(isAsked: (file: string) => boolean, { fetchUntilHere }: Retries): void {
  const noteFailedLink = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement)) return
    failedLinks.add(target.href)
    const file = new URL(target.href).pathname.slice(1)
    // of a later screen, which is shown without it meanwhile
    if (target.rel === 'stylesheet' && !isAsked(file)) void fetchUntilHere(file, 'reload').then(() => addLink(file))
  }
  const repairIfCut = (event: Event) => {
    const link = event.target as HTMLLinkElement // or something without a sheet
    const { href, sheet } = link
    if (!href || !sheet || isWhole(sheet) || href.endsWith(ANEW)) return
    event.stopImmediatePropagation()
    const anew = new URL(href).pathname + ANEW
    void fetchUntilHere(anew.slice(1), 'default').then(() => {
      link.href = anew
    })
  }
  document.addEventListener('load', repairIfCut, true)
  document.addEventListener('error', noteFailedLink, true)
}

const isWhole = ({ cssRules }: CSSStyleSheet) => cssRules[cssRules.length - 1]?.cssText.startsWith(LAST_SELECTOR)
