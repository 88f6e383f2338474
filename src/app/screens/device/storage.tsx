import { DAY_MS } from '#contract/rules/dates.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { STORED_READS_MAX_AGE_MS } from '#app/constants.ts'
import { isFetchable } from '#app/device/readiness/lacks.ts'
import { useFetchMissing } from '#app/device/readiness/use-fetch-missing.ts'
import { isWhole, type ShellFiles } from '#app/device/readiness/shell-files.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Part } from '#app/ui/layout/part.tsx'
import type { DeviceFacts } from './use-device-facts.ts'

/** What is stored for use without a signal, what is missing of it, until when it stays, and whether the browser keeps it. DEVICE-3 */
export function Storage({ facts, isPlayer }: { facts: DeviceFacts; isPlayer: boolean }) {
  const { t } = useTranslation('device')
  const { shell, grant, hasUnwritten } = facts
  const isLacking = isPlayer && facts.statuses.some(({ readiness }) => readiness?.state === 'lacking' && isFetchable(readiness.lack))
  // without a worker there is nothing to fetch
  const isMissing = shell && shell !== 'unseen' && (!isWhole(shell) || isLacking)
  return (
    <Part id="storage" title={t('StorageTitle')}>
      {shell !== undefined && <p>{shellText(shell, t)}</p>}
      {isMissing && <FetchMissing facts={facts} />}
      {hasUnwritten && <p role="alert">{t('StorageFull')}</p>}
      {grant !== null && (grant ?? (isPlayer && isSecureContext)) && <p>{t(GRANTS[grant ?? 'unasked'])}</p>}
      <h3>{t('RetentionTitle')}</h3>
      <ul>
        {isPlayer && <li>{t('RetentionAnswers')}</li>}
        {isPlayer && <li>{t('RetentionResults')}</li>}
        <li>{t('RetentionReads', { days: STORED_READS_MAX_AGE_MS / DAY_MS })}</li>
        <li>{t('RetentionSignOut')}</li>
      </ul>
    </Part>
  )
}

function shellText(shell: ShellFiles | 'unseen' | null, t: ReturnType<typeof useTranslation>['t']): string {
  if (shell === null) return t('ShellImpossible')
  if (shell === 'unseen') return t('ShellUnseen')
  return t(isWhole(shell) ? 'ShellWhole' : 'ShellPart', { ...shell })
}

const GRANTS = { persistent: 'GrantKept', 'may-clear': 'GrantMayClear', unasked: 'GrantUnasked' } as const

function FetchMissing({ facts }: { facts: DeviceFacts }) {
  const { t } = useTranslation('device')
  const { unavailable, whenReachable } = useOnlineOnly()
  const { isBusy, fetchMissing } = useFetchMissing(useReaderId(), facts.statuses)
  const fetch = async () => {
    await fetchMissing()
    await facts.refresh()
  }
  return (
    <div>
      <Button isBusy={isBusy} unavailable={isBusy ? undefined : unavailable} onClick={() => whenReachable(() => void fetch())}>
        {t('FetchMissing')}
      </Button>
    </div>
  )
}
