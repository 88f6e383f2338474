import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { probe, useReachable } from '#app/api/network.ts'
import { plainName } from '#app/parts/assessment-name.tsx'
import { Button } from '#app/ui/button.tsx'

/** Starts a purchase, which needs the API: without it, it says why; asked again at the tap. Ruling 23 */
export function StartButton({ name, path }: { name: string; path: string }) {
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
        look="primary"
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
