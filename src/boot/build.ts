import type { Language } from '#contract/languages.ts'
import type { Prefetch } from '#contract/screens.ts'

/** What the script in the page needs to know of the build (tools/script-in-page.ts). Numbers are indexes into `files`. */
export interface Build {
  files: string[]
  /** how many of the first files are the imports of the entry and, as the last one, the entry itself */
  start: number
  /** texts of the frame */
  common: Record<Language, number[]>[]
  screens: BuiltScreen[]
  /** URL of the API, with a slash at its end */
  api: string
  /** sent with every call */
  headers: Record<string, string>
  /** URL of the questions by language; their content never changes */
  questions: Record<string, string>
}

/** A screen at which people enter the portal, and its files. */
export interface BuiltScreen {
  /** source of a regular expression */
  pattern: string
  chunks: number[]
  words: Record<Language, number[]>
  prefetch: readonly Prefetch[]
  prefetchFor?: 'player'
  hasOwnStore?: true
  /** shows its first questions before the rest has loaded: requested first, and run as soon as it arrives */
  first?: number[]
  /** of `first`: what only the questions of a new device need */
  calls?: number[]
}

/** The end of each style sheet, without which it was cut: a page cannot see more of one than its rules. */
export const LAST_SELECTOR = '#whole'
export const LAST_RULE = `${LAST_SELECTOR}{}`
/** The end of each script. */
export const LAST_LINE = '//whole'
/** Each script exports at its beginning what it declares at its end: a part of it cannot be read, wherever it was cut. */
export const AROUND_SCRIPT = { postBanner: 'export{$whole};', postFooter: `var $whole${LAST_LINE}` }
