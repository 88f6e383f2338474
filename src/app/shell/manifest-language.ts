import { currentLanguage } from '#app/i18n/current-language.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { manifestFileOf } from '#contract/web-manifest.ts'

/** Names the manifest of the person's language, for the names of the shortcuts and the install dialog. docs/decisions/0048 */
export function followManifestLanguage(): void {
  const choose = () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')
    const file = `/${manifestFileOf(currentLanguage())}`
    if (link && link.getAttribute('href') !== file) link.href = file
  }
  choose()
  i18n.on('languageChanged', choose)
}
