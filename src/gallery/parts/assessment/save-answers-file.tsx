import { useTranslation } from '#app/i18n/use-translation.ts'
import { SaveAnswersFile } from '#app/parts/assessment/save-answers-file.tsx'
import { SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

export const states: States = { Default: () => <Offer /> }

function Offer() {
  const { t } = useTranslation('parts')
  return <SaveAnswersFile instance={{ userId: SOMEBODY.userId, instanceId: 'gallery' }}>{t('CannotSendDownload')}</SaveAnswersFile>
}
