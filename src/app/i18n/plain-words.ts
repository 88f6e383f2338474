import { fillIn } from '#contract/rules/fill-in.ts'
import type { Translation } from './use-translation.ts'
import { loadWords } from './word-files.ts'

/**
 * The texts of one area without i18next, for what the page shows before that has loaded: no fallback, no other areas.
 * Undefined if they cannot be loaded.
 */
export async function loadPlainWords(language: string, area: string): Promise<Translation['t'] | undefined> {
  const words = await loadWords(language, area).catch(() => undefined)
  if (!words) return undefined
  const plurals = new Intl.PluralRules(language)
  return (key, values = {}) => {
    const { count } = values
    const endings = typeof count === 'number' ? [`_${plurals.select(count)}`, '_other', ''] : ['']
    const names = [key].flat().flatMap((one) => endings.map((ending) => one + ending))
    return fillIn(names.map((name) => words[name]).find((text) => text !== undefined) ?? '', values)
  }
}
