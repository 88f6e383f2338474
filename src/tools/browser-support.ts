import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The oldest browsers that the portal runs in. The build lowers the syntax to them; it adds no API. docs/decisions/0035 */
export const OLDEST_BROWSERS = { chrome: '111', safari: '16.4', firefox: '115' }

/** There for longer than the data says, but for the name of the error it aborts with, which nobody here reads. */
const OLDER_THAN_TOLD = new Set(['api.AbortSignal.timeout_static'])

type Support = Record<string, string | undefined>

interface WebFeatures {
  features: Record<string, { kind: string; status?: { by_compat_key?: Record<string, { support: Support }> } }>
}

function isNewer(support: Support): boolean {
  return Object.entries(OLDEST_BROWSERS).some(([browser, oldest]) => {
    const since = support[browser]
    return since === undefined || Number.parseFloat(since.replace('≤', '')) > Number(oldest)
  })
}

/**
 * What JavaScript can see of APIs that not all of the oldest browsers have, in the words of the compatibility data that
 * comes with Lighthouse: `api.URL.canParse_static`, `javascript.builtins.Promise.withResolvers`. For tests.
 */
export function newerApis(): { newer: string[]; old: string[] } {
  const lighthouse = createRequire(import.meta.url).resolve('lighthouse/package.json')
  const data = JSON.parse(readFileSync(createRequire(lighthouse).resolve('web-features/data.json'), 'utf8')) as WebFeatures
  const known = Object.values(data.features).flatMap(({ status }) => Object.entries(status?.by_compat_key ?? {}))
  const apis = known.filter(([key]) => /^(?:api|javascript\.builtins)\./.test(key) && !OLDER_THAN_TOLD.has(key))
  const named = (isIn: boolean) =>
    apis.filter(([, { support }]) => isNewer(support) === isIn).map(([key]) => key.replace(/^(?:api|javascript\.builtins)\./, ''))
  return { newer: named(true), old: named(false) }
}
