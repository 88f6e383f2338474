import type { PartsOutcome } from '#app/early-start.ts'
import { CUT_TRIES, fetchFile } from './fetch-file.ts'
import { failedLinks } from './links.ts'

/** See app/early-start.ts. */
export async function fetchParts({ isStuck = false } = {}): Promise<PartsOutcome> {
  // what is under way has no resource entry
  const links = isStuck ? Array.from(document.querySelectorAll<HTMLLinkElement>('link[href]'), ({ href }) => href) : failedLinks
  const addresses = [...links, ...performance.getEntriesByType('resource').map(({ name }) => name)]
  const files = addresses.flatMap((address) => /\/(assets\/[^/]+\.(?:js|css))$/.exec(address)?.[1] ?? [])
  const mend = async (file: string) => {
    let outcome = await fetchFile(file, 'default')
    // the browser's cache may have somebody else's page, or wait for a reply to an older request, which never comes
    if (outcome === 'foreign' || outcome === 'removed' || (outcome === 'stuck' && isStuck)) outcome = await fetchFile(file, 'reload')
    for (let tries = 0; outcome === 'cut' && tries < CUT_TRIES; tries += 1) outcome = await fetchFile(file, 'reload')
    return outcome
  }
  const outcomes = await Promise.all(Array.from(new Set(files), mend))
  if (outcomes.includes('removed')) return 'removed'
  if (outcomes.some((outcome) => outcome !== 'loaded' && outcome !== 'cut')) return 'missing'
  return outcomes.includes('cut') ? 'cut' : 'here'
}
