import { apiUrl } from '#app/api/base-url.ts'
import { isLanguage, LANGUAGES, type Language } from '#contract/languages.ts'

/** How the pieces are shown, as the address says: `?lang=fr&theme=dark&connection=none`. */
export interface Conditions {
  lang: Language
  /** `device`: as the device is set */
  theme: 'device' | 'light' | 'dark'
  connection: 'there' | 'none'
}

export const CHOICES = {
  lang: LANGUAGES,
  theme: ['device', 'light', 'dark'],
  connection: ['there', 'none'],
} as const satisfies { [Name in keyof Conditions]: readonly Conditions[Name][] }

export function conditionsOf(search: string, preferred: Language): Conditions {
  const query = new URLSearchParams(search)
  const lang = query.get('lang')
  const theme = query.get('theme')
  return {
    lang: isLanguage(lang) ? lang : preferred,
    theme: theme === 'light' || theme === 'dark' ? theme : 'device',
    connection: query.get('connection') === 'none' ? 'none' : 'there',
  }
}

export function searchOf(conditions: Conditions): string {
  return `?${new URLSearchParams({ ...conditions }).toString()}`
}

/** The very rules that a device set to this theme would apply (ui/tokens.css). */
export function forceTheme(theme: 'light' | 'dark'): void {
  document.documentElement.style.colorScheme = theme
  for (const { cssRules } of document.styleSheets) forceIn(cssRules, theme)
}

function forceIn(rules: CSSRuleList, theme: 'light' | 'dark'): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const { media } = rule
      media.mediaText = media.mediaText.replace(/\(prefers-color-scheme: (\w+)\)/g, (_, named) =>
        named === theme ? '(min-width: 0px)' : '(max-width: 0px)',
      )
    }
    if (rule instanceof CSSGroupingRule) forceIn(rule.cssRules, theme)
  }
}

/** Health alone is refused: to the app the API cannot be reached, while lists still load. */
export function cutConnection(): void {
  const ask = globalThis.fetch
  globalThis.fetch = (request, init) => (request === `${apiUrl}health` ? Promise.reject(new TypeError()) : ask(request, init))
}
