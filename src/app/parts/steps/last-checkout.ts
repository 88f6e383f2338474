import { remember } from '#app/remember.ts'

const KEY = 'lastCheckout'

/** The payment page this tab opened last: the card provider's return URL does not say which purchase it is about. */
export function rememberCheckout(path: string): void {
  remember(KEY, path, sessionStorage)
}

/** undefined if it was opened in another tab, or before the browser was closed. */
export function lastCheckout(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}
