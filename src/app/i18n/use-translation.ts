import { type Language } from '#contract/languages.ts'
import { use, useMemo, useSyncExternalStore } from 'react'
import { fillIn, type Values } from '#contract/rules/fill-in.ts'
import { i18n, isLost, LATE_WORDS, loadIfPossible } from './i18n.ts'

export interface Translation {
  /** given several keys, uses the first that exists */
  t: (key: string | string[], values?: Values) => string
  i18n: typeof i18n
}

/** how often texts have come late */
let late = 0

i18n.on(LATE_WORDS, () => {
  late += 1
  translators.clear()
})

const events = ['languageChanged', LATE_WORDS]

const subscribe = (changed: () => void) => {
  for (const event of events) i18n.on(event, changed)
  return () => {
    for (const event of events) i18n.off(event, changed)
  }
}

const state = () => `${i18n.language} ${late}`

/**
 * The words of an area in the current language: suspends until they are loaded, or cannot be, and renders again when the language changes
 * or they have come after all.
 * `t` reads the loaded words itself if the key is one text, with or without `{{values}}`; plurals, other areas and missing words
 * go to i18next. Why: docs/decisions/0014-words-read-directly.md
 * @param areas keys without a prefix are looked up in the first; the others are named in the key (`errors:FETCH_ERROR`)
 */
export function useTranslation(areas: string | readonly string[] = 'ui'): Translation {
  const present = useSyncExternalStore(subscribe, state)
  const language = i18n.language as Language // set only by startI18n and shell/chosen-language.ts
  const wanted = typeof areas === 'string' ? areas : areas.join(' ')
  const area = wanted.split(' ')[0] ?? wanted
  for (const one of wanted.split(' ')) {
    const promise = loadOnce(language, present, one)
    // React expects `use` with the same promise again when it renders after suspending, even if the words are loaded by then
    if (promise) use(promise)
  }
  // oxlint-disable-next-line react/exhaustive-deps -- `present`: whatever depends on `t` runs again when texts have come late
  return useMemo(() => ({ t: translatorFor(language, area), i18n }), [present, language, area])
}

const loading = new Map<string, Promise<void>>()

/** One promise per state and area, so that rendering again uses the same one; undefined if there is nothing to wait for. */
function loadOnce(language: Language, present: string, area: string): Promise<void> | undefined {
  const name = `${present}/${area}`
  const known = loading.get(name)
  // a screen that is shown without them is not taken away again
  if (known || i18n.hasResourceBundle(language, area) || isLost(language, area)) return known
  const promise = loadIfPossible(language, area)
  loading.set(name, promise)
  return promise
}

const translators = new Map<string, Translation['t']>()

/** The same function each time for a language and area, so that effects and memos which depend on `t` do not run again. */
export function translatorFor(language: string, area: string): Translation['t'] {
  const name = `${language}/${area}`
  const known = translators.get(name)
  if (known) return known
  const t: Translation['t'] = (key, values) => {
    const words = i18n.getResourceBundle(language, area) as Record<string, string> | undefined // as in locales/
    const text = typeof key === 'string' ? words?.[key] : undefined
    if (text === undefined || values?.['count'] !== undefined) return i18n.t(key, { ns: area, lng: language, ...values })
    return values === undefined ? text : fillIn(text, values)
  }
  translators.set(name, t)
  return t
}
