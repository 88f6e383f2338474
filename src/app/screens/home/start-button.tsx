import { useId, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { probe } from '#app/api/network.ts'
import { useReachable } from '#app/api/use-network-state.ts'
import { costOf } from '#app/parts/assessment/price.tsx'
import type { Assessment } from '#contract/assessments.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { formatPrice } from '#contract/rules/pricing.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { useLateNavigate } from '#app/ui/browser/use-late-navigate.ts'

interface Props {
  assessment: Assessment
  /** where the purchase starts */
  path: string
  isNext: boolean
  /** warns that buying it now buys a second one */
  hasOneOpen: boolean
}

/** Starts a purchase, and shows the price. Needs the API: without a connection it says so, and a tap checks again. OFFLINE-2 */
export function StartButton({ assessment, path, isNext, hasOneOpen }: Props) {
  const { t } = useTranslation('home')
  const warningId = useId()
  const cost = costOf(assessment)
  const action = cost ? t('StartAssessmentFor', { price: formatPrice(cost.amount, cost.currency) }) : t('StartAssessment')
  const navigate = useLateNavigate()
  const isReachable = useReachable()
  const [isProbing, setIsProbing] = useState(false)

  const start = async () => {
    setIsProbing(true)
    const isReached = await probe()
    setIsProbing(false)
    if (isReached) navigate(path)
  }

  return (
    <div className="stack">
      {hasOneOpen && (
        <p id={warningId} className="notice notice-wait">
          {t('StartBuysAnother')}
        </p>
      )}
      <Button
        variant={isNext ? 'primary' : 'plain'}
        isWide
        isBusy={isProbing}
        unavailable={isReachable ? undefined : t('StartNeedsConnection')}
        aria-label={t('StartAssessmentOf', { action, name: plainName(assessment.name) })}
        aria-describedby={hasOneOpen ? warningId : undefined}
        onClick={() => void start()}
      >
        {action}
      </Button>
    </div>
  )
}
