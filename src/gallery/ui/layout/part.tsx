import { useTranslation } from '#app/i18n/use-translation.ts'
import { Part, Parts } from '#app/ui/layout/part.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return (
      <Parts>
        <Part id="first-part" title={t('ConfirmDetailsTitle')}>
          <p>{t('ConfirmDetailsSubmit')}</p>
        </Part>
        <Part id="second-part" title={t('ConfirmDetailsBrief')}>
          <p>{t('ConfirmDetailsSubmit')}</p>
        </Part>
      </Parts>
    )
  },
}
