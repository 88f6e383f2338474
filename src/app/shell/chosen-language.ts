import { PART_SLOW_MS } from '#app/constants.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { areasMissingIn, i18n, loadArea, loadLanguage } from '#app/i18n/i18n.ts'
import { arrivedInTime, reportStuckPart } from '#app/lost-part.ts'
import { LANGUAGE_KEY, SHOWN_LANGUAGE_KEY } from '#app/i18n/preferred-language.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'
import { isCopied } from '#app/session/copied-at.ts'
import { onCredentialsChanged } from '#app/session/credentials.ts'
import { copySession } from '#app/session/stored-copy.ts'
import { onReturn } from '#app/ui/browser/on-return.ts'
import { errorToast } from '#app/ui/feedback/toast.ts'
import { isLanguage, type Language } from '#contract/languages.ts'
import { loadInBackground } from './reload-for-lost-parts.ts'

/** chosen last, here or in another tab; undefined once it is shown */
let coming: Language | undefined

/** A language whose texts cannot be loaded is not kept: the screen would stay in the other one without a word. */
export async function chooseLanguage(language: Language): Promise<void> {
  noteComing(language)
  // at once, as the page may be left while the texts are loading
  store(language)
  try {
    await arrivedInTime(loadLanguage(language))
  } catch (error) {
    console.warn('The language could not be changed', error)
    if (coming !== language) return
    forgetComing()
    store(currentLanguage())
    return errorToast('shell:LanguageNotLoaded')
  }
  // another was chosen meanwhile
  if (coming === language) await show(language)
}

function noteComing(language: Language): void {
  coming = language
  trySetItem(SHOWN_LANGUAGE_KEY, currentLanguage(), sessionStorage)
}

function forgetComing(): void {
  coming = undefined
  sessionStorage.removeItem(SHOWN_LANGUAGE_KEY)
}

async function show(language: Language): Promise<void> {
  forgetComing()
  await i18n.changeLanguage(language)
}

function store(language: Language): void {
  // without a sign-in there is no copy, and none is made for the language alone
  if (trySetItem(LANGUAGE_KEY, language) && isCopied()) void copySession()
}

async function loadWhile(isWanted: () => boolean, language: Language): Promise<void> {
  for (let [area] = areasMissingIn(language); area !== undefined && isWanted(); [area] = areasMissingIn(language)) {
    const wanted = area
    await loadInBackground(async () => !isWanted() || (await loadArea(language, wanted)) || undefined)
  }
}

/** Shows it once its texts are here, however long that takes: a person has chosen it in a page that has them. */
async function follow(stored: string | null): Promise<void> {
  if (!isLanguage(stored) || stored === (coming ?? currentLanguage())) return
  noteComing(stored)
  const isWanted = () => coming === stored
  const loading = loadWhile(isWanted, stored)
  const stuck = setTimeout(() => isWanted() && reportStuckPart(loading), PART_SLOW_MS)
  await loading
  clearTimeout(stuck)
  if (isWanted()) await show(stored)
}

/** Follows a language chosen in another tab, or found in the copy of the sign-in after a kill. Called once, by main. */
export function watchStoredLanguage(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key === LANGUAGE_KEY) void follow(newValue)
  })
  const followStored = () => void follow(localStorage.getItem(LANGUAGE_KEY))
  onCredentialsChanged(followStored)
  onReturn(followStored)
  followStored()
}
