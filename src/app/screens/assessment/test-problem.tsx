import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { paths } from '#app/paths.ts'
import { Page } from '#app/ui/page.tsx'

const words = { failed: 'ErrorLoadingAssessment', 'not-found': 'AssessmentNotFound', 'not-on-device': 'TestNotOnDevice' } as const

/** Why the questionnaire cannot be shown, and what to do. §2, §8 */
export function TestProblem({ problem }: { problem: keyof typeof words }) {
  const { t } = useTranslation('assessment')
  return (
    <Page title={t('TestTitle')}>
      <p role="alert">{t(words[problem])}</p>
      <div className="row">
        {problem !== 'not-found' && (
          <button type="button" className="button button-primary" onClick={() => location.reload()}>
            {t('TestTryAgain')}
          </button>
        )}
        <Link href={paths.home()} className="button">
          {t('TestReturn')}
        </Link>
      </div>
    </Page>
  )
}
