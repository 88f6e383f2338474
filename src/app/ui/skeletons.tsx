import { useTranslation } from '#app/i18n/use-translation.ts'

/** A place held while something loads: heights in rem, one bar each. Says "Loading" once. */
export function Skeleton({ bars = [3, 1.5, 1.5] }: { bars?: readonly number[] }) {
  const { t } = useTranslation('ui')
  return (
    <div className="stack" role="status" aria-busy="true">
      <span className="visually-hidden">{t('Loading')}</span>
      {bars.map((height, at) => (
        // The bars are nothing but their place.
        // eslint-disable-next-line react/no-array-index-key
        <div key={at} className="skeleton" style={{ blockSize: `${height}rem` }} />
      ))}
    </div>
  )
}

/** The place of a whole screen. */
export function PageSkeleton() {
  return (
    <div className="page">
      <Skeleton bars={[3, 1.5, 12, 12]} />
    </div>
  )
}
