import { useTranslation } from '#app/i18n/use-translation.ts'
import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import { Page } from '#app/ui/layout/page.tsx'

const TEXT_KEYS = {
  failed: 'ErrorLoadingAssessment',
  'not-found': 'AssessmentNotFound',
  'not-on-device': 'NotOnDevice',
  reclaimed: 'errors:INSTANCE_RECLAIMED',
} as const

/** Why the questionnaire cannot be shown, with Try again where it may help. QUESTIONS-2 */
export function TestProblem({ problem }: { problem: keyof typeof TEXT_KEYS }) {
  const { t } = useTranslation(['assessment', 'errors'])
  const isFinal = problem === 'not-found' || problem === 'reclaimed'
  return (
    <Page title={t('TestTitle')}>
      <p role="alert">{t(TEXT_KEYS[problem])}</p>
      <div className="row test-actions">
        {!isFinal && (
          <button type="button" className="button button-primary" onClick={() => location.reload()}>
            {t('TryAgain')}
          </button>
        )}
        <DashboardLink variant={isFinal ? 'primary' : 'plain'} />
      </div>
    </Page>
  )
}
