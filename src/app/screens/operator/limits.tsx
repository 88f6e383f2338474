import { formatCount } from '#app/i18n/figures.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { hitsForOperator } from '#contract/hits.operator.ts'
import { ReadPart, type PartProps } from './read-part.tsx'
import { useOperatorRead } from './use-operator-read.ts'

/** Limits that somebody exceeds now. It cannot say who: only a hash is stored. API-50 */
export function Limits({ call, refreshKey }: PartProps) {
  const { t, i18n } = useTranslation('operator')
  const read = useOperatorRead(refreshKey, '', (signal) => call(hitsForOperator.list, {}, { signal }))
  const { data = [] } = read.data ?? {}
  return (
    <ReadPart id="limits" title={t('LimitsTitle')} read={read}>
      {data.length === 0 ? (
        <p>{t('LimitsNone')}</p>
      ) : (
        <ul>
          {data.map(({ limit, callers, maximum, windowSeconds }) => (
            <li key={limit}>
              {/* a newer server may have one that has no words here */}
              <strong>{i18n.exists(`operator:Limit_${limit}`) ? t(`Limit_${limit}`) : limit}</strong>{' '}
              {t('LimitHit', { count: callers, maximum: formatCount(maximum), minutes: formatCount(windowSeconds / 60) })}
            </li>
          ))}
        </ul>
      )}
    </ReadPart>
  )
}
