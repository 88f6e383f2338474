import { useEffect, useState } from 'react'
import { PART_SLOW_MS } from '#app/constants.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { PageSkeleton } from '#app/ui/layout/skeletons.tsx'
import { reloadIfStuck } from './reload-for-lost-parts.ts'

/** Placeholder of a screen whose parts are loading. It says so if they do not arrive. INSTALL-3 */
export function LoadingScreen() {
  const { t } = useTranslation('shell')
  const [isSlow, setSlow] = useState(false)

  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PART_SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => (isSlow ? reloadIfStuck() : undefined), [isSlow])

  return (
    <PageSkeleton isHeadOnly={isSlow}>
      <div role="status">{isSlow && <p>{t('PartSlow')}</p>}</div>
      {isSlow && <Button onClick={() => location.reload()}>{t('Reload')}</Button>}
    </PageSkeleton>
  )
}
