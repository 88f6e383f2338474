import { apiUrl } from '#app/api/base-url.ts'
import { isLanguage, LANGUAGES, type Language } from '#contract/languages.ts'

/** How the components are shown, from the URL: `?lang=fr&theme=dark&connection=none`. */
export interface Conditions {
  lang: Language
  /** `device`: the device's setting */
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

/** Rewrites the media queries of the style sheets, so that they apply as on a device set to this theme (ui/tokens.css). */
export function forceTheme(theme: 'light' | 'dark'): void {
  document.documentElement.style.colorScheme = theme
  for (const { cssRules } of document.styleSheets) forceThemeIn(cssRules, theme)
}

function forceThemeIn(rules: CSSRuleList, theme: 'light' | 'dark'): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const { media } = rule
      media.mediaText = media.mediaText.replace(/\(prefers-color-scheme: (\w+)\)/g, (_, named) =>
        named === theme ? '(min-width: 0px)' : '(max-width: 0px)',
      )
    }
    if (rule instanceof CSSGroupingRule) forceThemeIn(rule.cssRules, theme)
  }
}

/** Fails the health check only: the app takes the API to be out of reach, while lists still load. */
export function cutConnection(): void {
  const originalFetch = globalThis.fetch
  globalThis.fetch = (request, init) => (request === `${apiUrl}health` ? Promise.reject(new TypeError()) : originalFetch(request, init))
}
