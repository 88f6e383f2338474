import { useTranslation } from '#app/i18n/use-translation.ts'
import { SettingsLink } from '#app/parts/person/settings-link.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  // a demo's settings have no targets: the link says that it leads nowhere
  Default: function Default() {
    const { t } = useTranslation('home')
    return <SettingsLink to="terms">{t('LearnMore')}</SettingsLink>
  },
}
