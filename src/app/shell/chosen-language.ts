import { withTimeout } from '#app/api/with-timeout.ts'
import { CALL_TIMEOUT_MS } from '#app/constants.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { i18n, loadLanguage } from '#app/i18n/i18n.ts'
import { LANGUAGE_KEY } from '#app/i18n/preferred-language.ts'
import { remember } from '#app/remember.ts'
import { isCopied } from '#app/session/copied-at.ts'
import { onCredentialsChanged } from '#app/session/credentials.ts'
import { copySession } from '#app/session/stored-copy.ts'
import { errorToast } from '#app/ui/feedback/toast.ts'
import { isLanguage, type Language } from '#contract/languages.ts'

let latest: Language | undefined

/** A language whose texts cannot be loaded is not kept: the screen would stay in the other one without a word. */
export async function chooseLanguage(language: Language): Promise<void> {
  latest = language
  // at once, as the page may be left while the texts are loading
  store(language)
  try {
    await withTimeout(loadLanguage(language), CALL_TIMEOUT_MS, 'the texts of the language have not arrived')
  } catch (error) {
    console.warn('The language could not be changed', error)
    if (latest !== language) return
    store(currentLanguage())
    return errorToast('shell:LanguageNotLoaded')
  }
  // another was chosen meanwhile
  if (latest === language) await i18n.changeLanguage(language)
}

function store(language: Language): void {
  // without a sign-in there is no copy, and none is made for the language alone
  if (remember(LANGUAGE_KEY, language) && isCopied()) void copySession()
}

/** Follows a language chosen in another tab, or found in the copy of the sign-in after a kill. Called once, by main. */
export function watchStoredLanguage(): void {
  const follow = (stored: string | null) => {
    if (isLanguage(stored) && stored !== i18n.language) void i18n.changeLanguage(stored)
  }
  addEventListener('storage', ({ key, newValue }) => {
    if (key === LANGUAGE_KEY) follow(newValue)
  })
  onCredentialsChanged(() => follow(localStorage.getItem(LANGUAGE_KEY)))
  follow(localStorage.getItem(LANGUAGE_KEY))
}
