import type { Language } from '#contract/languages.ts'
import type { Prefetch } from '#contract/screens.ts'

/** What the build tells the script in the page (tools/script-in-page.ts). Files are named by their place in `files`. */
export interface Build {
  files: string[]
  /** how many of them are what the entry imports and, the last of these, the entry */
  start: number
  /** the words of the frame */
  common: Record<Language, number[]>[]
  screens: BuiltScreen[]
  /** where the API is, with a slash at its end */
  api: string
  /** of every call */
  headers: Record<string, string>
  /** the questions, which never change, by language: their address */
  questions: Record<string, string>
}

/** One of `contract/screens.ts` that people enter the portal by, with what it is made of. */
export interface BuiltScreen {
  /** a regular expression */
  pattern: string
  chunks: number[]
  words: Record<Language, number[]>
  prefetch: readonly Prefetch[]
  prefetchFor?: 'player'
  hasOwnStore?: true
}
