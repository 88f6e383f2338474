import { useTranslation } from '#app/i18n/use-translation.ts'
import { ReportLink } from '#app/parts/assessment/report-link.tsx'
import { ASSESSMENT } from '../../samples.ts'
import type { States } from '../../states.ts'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('home')
    return <ReportLink file={ASSESSMENT.sampleReportFilename}>{t('SampleReport')}</ReportLink>
  },
}
