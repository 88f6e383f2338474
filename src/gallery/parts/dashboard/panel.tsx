import { ApiError } from '#app/api/api-error.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { LoadError, Panel } from '#app/parts/dashboard/panel.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('home')
    return (
      <Panel title={t('AvailableAssessmentsTitle')}>
        <p>{t('NoAssessmentsAvailable')}</p>
      </Panel>
    )
  },
  Error: function Broken() {
    const { t } = useTranslation('home')
    return (
      <Panel title={t('AvailableAssessmentsTitle')} isOffer>
        <LoadError error={new ApiError({ kind: 'FETCH_ERROR' })} onTryAgain={() => undefined} />
      </Panel>
    )
  },
}
