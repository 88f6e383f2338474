import { i18n } from '#app/i18n/i18n.ts'
import { LANGUAGE_KEY } from '#app/i18n/preferred-language.ts'
import { remember } from '#app/remember.ts'
import { isCopied } from '#app/session/copied-at.ts'
import { onCredentialsChanged } from '#app/session/credentials.ts'
import { copySession } from '#app/session/stored-copy.ts'
import { isLanguage, type Language } from '#contract/languages.ts'

export function chooseLanguage(language: Language): void {
  // without a sign-in there is no copy, and none is made for the language alone
  if (remember(LANGUAGE_KEY, language) && isCopied()) void copySession()
  void i18n.changeLanguage(language)
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
