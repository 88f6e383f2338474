import { useTranslation } from '#app/i18n/use-translation.ts'
import { PlaceholderLink } from '#app/ui/layout/placeholder-link.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('home')
    return <PlaceholderLink>{t('LearnMore')}</PlaceholderLink>
  },
}
