import { remember } from '#app/remember.ts'

const KEY = 'lastCheckout'

/** Where this tab opened a card form: the provider's return says what became of it, and not of which purchase. */
export function rememberCheckout(path: string): void {
  remember(KEY, path, sessionStorage)
}

/** undefined: opened in another tab, or before the browser was closed. */
export function lastCheckout(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}
