import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The oldest supported browsers. The build compiles the syntax for them, but adds no missing APIs. docs/decisions/0035 */
export const OLDEST_BROWSERS = { chrome: '111', safari: '16.4', firefox: '115' }

/** Supported earlier than the data says, apart from the name of its error, which the portal does not read. */
const SUPPORTED_EARLIER = new Set(['api.AbortSignal.timeout_static'])

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
 * The JavaScript APIs that some of the oldest browsers lack, and those that all have, named as in the compatibility data of
 * web-features: `api.URL.canParse_static`, `javascript.builtins.Promise.withResolvers`. For tests.
 */
export function newerApis(): { newer: string[]; old: string[] } {
  const data = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('web-features/data.json'), 'utf8')) as WebFeatures
  const known = Object.values(data.features).flatMap(({ status }) => Object.entries(status?.by_compat_key ?? {}))
  const apis = known.filter(([key]) => /^(?:api|javascript\.builtins)\./.test(key) && !SUPPORTED_EARLIER.has(key))
  const named = (isIn: boolean) =>
    apis.filter(([, { support }]) => isNewer(support) === isIn).map(([key]) => key.replace(/^(?:api|javascript\.builtins)\./, ''))
  return { newer: named(true), old: named(false) }
}
