/** The texts ("words") of the screens. They are loaded by area here, not by i18next, which never asks again for one that failed. */
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '#contract/languages.ts'
import { WORDS_AT_LATEST_MS, WORDS_RETRY_MS } from '#app/constants.ts'
import { delay } from '#app/delay.ts'
import i18next from 'i18next'
import { currentLanguage, setCurrentLanguage, startLanguage } from './current-language.ts'
import { orLost } from '#app/lost-part.ts'
import { loadWords } from './word-files.ts'

export const i18n = i18next

/** i18n emits it when texts have come that a screen was shown without. */
export const LATE_WORDS = 'lateWords'

const FIRST_AREAS = ['shell', 'ui']

/** those that the page has asked for: a change of language waits for them */
const areas = new Set<string>()

i18n.on('languageChanged', setCurrentLanguage)

export async function startI18n(): Promise<void> {
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
  const lng = startLanguage()
  await i18n.init({
    lng,
    fallbackLng: FALLBACK_LANGUAGE,
    supportedLngs: LANGUAGES,
    resources: {},
    ns: FIRST_AREAS,
    defaultNS: 'ui',
    keySeparator: false,
    returnNull: false,
    interpolation: { escapeValue: false },
    parseMissingKeyHandler: textForMissingKey,
  })
  // however long they take: until then the page's own script says that it is loading
  await Promise.all(FIRST_AREAS.map(async (area) => (await loadWithRetries(lng, area).catch(() => false)) || loadIfPossible(lng, area)))
}

/** Tries once. Resolves to false if the page is about to reload for a lost part; rejects if the texts cannot be loaded. */
export async function loadArea(language: Language, area: string): Promise<boolean> {
  areas.add(area)
  if (i18n.hasResourceBundle(language, area)) return true
  const words = await loadWords(language, area)
  if (words) i18n.addResourceBundle(language, area, words)
  return words !== undefined
}

/** `loadArea` with some retries. */
async function loadWithRetries(language: Language, area: string): Promise<boolean> {
  for (const wait of WORDS_RETRY_MS) {
    try {
      return await loadArea(language, area)
    } catch {
      await delay(wait)
    }
  }
  return loadArea(language, area)
}

/** Loads one area in the present language, without retries, for a part that is not shown without it. */
export const loadWordsAhead = (area: string) => loadArea(currentLanguage(), area)

/** Loads the areas of a screen. Rejects with `PartNotFetched` if one has no texts in the present language: it would not say anything. */
export async function loadAreas(wanted: readonly string[]): Promise<void> {
  const language = currentLanguage()
  await Promise.all(wanted.map((area) => orLost(loadWithRetries(language, area).then((isLoaded) => isLoaded || undefined))))
  // another was chosen meanwhile
  if (language !== currentLanguage()) await loadAreas(wanted)
}

/** The areas that the page has asked for and that are not loaded in this language. */
export const areasMissingIn = (language: Language) => [...areas].filter((area) => !i18n.hasResourceBundle(language, area))

/** Loads all areas that the page has asked for in another language. Rejects if one cannot be loaded. */
export async function loadLanguage(language: Language): Promise<void> {
  // a screen may be opened meanwhile, with areas of its own
  for (let missing = areasMissingIn(language); missing.length > 0; missing = areasMissingIn(language))
    await Promise.all(missing.map((area) => orLost(loadArea(language, area).then((isLoaded) => isLoaded || undefined))))
}

interface Lost {
  language: Language
  area: string
}

type Retry = (load: () => Promise<true | undefined>) => Promise<unknown>

let retryLater: Retry | undefined
const lost = new Map<string, Lost>()
const pathOf = ({ language, area }: Lost) => `${language}/${area}`

export const isLost = (language: Language, area: string) => lost.has(pathOf({ language, area }))

/** @param retry tries until the texts are loaded; it is used also for those that could not be loaded so far */
export function retryLostWords(retry: Retry): void {
  retryLater = retry
  for (const one of lost.values()) void loadLater(one)
}

async function loadLater(one: Lost): Promise<void> {
  if (!retryLater) return
  await retryLater(async () => (await loadArea(one.language, one.area)) || undefined)
  lost.delete(pathOf(one))
  i18n.emit(LATE_WORDS)
}

/**
 * For texts that a screen can be shown without. If they do not come in time, it shows those of the fallback language, or "…", until they do.
 * Never rejects.
 */
export async function loadIfPossible(language: Language, area: string): Promise<void> {
  if (isLost(language, area) || (await inTime(loadWithRetries(language, area)))) return
  const one = { language, area }
  // another part of the screen may have waited for them, too
  if (!isLost(language, area)) void loadLater(one)
  lost.set(pathOf(one), one)
  if (language !== FALLBACK_LANGUAGE) await inTime(loadArea(FALLBACK_LANGUAGE, area))
}

/** Whether it was loaded in time. */
const inTime = (loading: Promise<boolean>) => Promise.race([loading.catch(() => false), delay(WORDS_AT_LATEST_MS).then(() => false)])

/** For an error code the general error text, as the texts of errors may not have loaded. A key's name would tell nobody anything. */
function textForMissingKey(key: string): string {
  return /^[A-Z][A-Z_]+$/.test(key) ? i18n.t('ui:UnexpectedError') : '…'
}

/** Call once the first screen is drawn: the texts of errors are needed only when something fails. */
export const loadErrorWords = () => loadIfPossible(currentLanguage(), 'errors')
