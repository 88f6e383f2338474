import { remember } from '#app/remember.ts'

const KEY = 'lastCheckout'

/** Where this tab opened a card form: the provider's return says whether it succeeded, but not for which purchase. */
export function rememberCheckout(path: string): void {
  remember(KEY, path, sessionStorage)
}

/** undefined: in another tab, or before the browser was closed. */
export function lastCheckout(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}
