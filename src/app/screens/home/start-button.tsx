import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation } from 'wouter'
import { probe, useReachable } from '#app/api/network.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { Button } from '#app/ui/button.tsx'

/** Starts a purchase, which needs the API: without it, it says why; asked again at the tap. Ruling 23 */
export function StartButton({ name, path, isNext }: { name: string; path: string; isNext: boolean }) {
  const { t } = useTranslation('home')
  const [, navigate] = useLocation()
  const isReachable = useReachable()
  const [isAsking, setIsAsking] = useState(false)

  const start = async () => {
    setIsAsking(true)
    const isThere = await probe()
    setIsAsking(false)
    if (isThere) navigate(path)
  }

  return (
    <div>
      <Button
        look={isNext ? 'primary' : 'plain'}
        isWide
        isBusy={isAsking}
        unavailable={isReachable ? undefined : t('StartNeedsConnection')}
        aria-label={t('StartAssessmentOf', { name: plainName(name) })}
        onClick={() => void start()}
      >
        {t('StartAssessment')}
      </Button>
    </div>
  )
}
