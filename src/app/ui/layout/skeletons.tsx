import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'

/** Placeholder while something loads. `bars`: the height of each bar in rem. Screen readers announce "Loading" once. */
export function Skeleton({ bars = [3, 1.5, 1.5] }: { bars?: readonly number[] }) {
  const { t } = useTranslation('ui')
  return (
    <div className="stack" role="status" aria-busy="true">
      <span className="visually-hidden">{t('Loading')}</span>
      {bars.map((height, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- bars have no identity but their position
        <div key={at} className="skeleton" style={{ blockSize: `${height}rem` }} />
      ))}
    </div>
  )
}

/** Placeholder of a whole screen. `isHeadOnly`: of its head, with `children` below */
export function PageSkeleton({ isHeadOnly = false, children }: { isHeadOnly?: boolean; children?: ReactNode }) {
  return (
    <div className="page">
      {/* first, as shell.css draws the band of a screen's head around it */}
      <Skeleton bars={isHeadOnly ? [3, 1.5] : [3, 1.5, 12, 12]} />
      {children}
    </div>
  )
}
