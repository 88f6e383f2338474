import { Link } from 'wouter'
import { useReachable } from '#app/api/use-network-state.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { isFetchable, type Lack } from '#app/device/readiness/lacks.ts'
import type { Readiness } from '#app/device/readiness/readiness.ts'
import { useFetchMissing } from '#app/device/readiness/use-fetch-missing.ts'
import { useNeedsConnection } from '#app/device/readiness/use-needs-connection.ts'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/forms/button.tsx'

const LACKING = {
  worker: 'LacksWorker',
  shell: 'LacksShell',
  words: 'LacksWords',
  answers: 'LacksAnswers',
  session: 'LacksSession',
  details: 'LacksDetails',
  lists: 'LacksLists',
} as const satisfies Record<Lack, string>

interface Props {
  instanceId: string
  readiness: Readiness | undefined
  /** with a button that fetches what is missing */
  hasFetch?: boolean
}

/** Says whether an open assessment is ready for use offline, or what is missing. docs/decisions/0033 */
export function ReadinessLine({ instanceId, readiness, hasFetch = false }: Props) {
  const { t } = useTranslation('player')
  if (useNeedsConnection(instanceId)) return <li className="waits">{t('OpenOnceFirst')}</li>
  switch (readiness?.state) {
    case undefined:
      return null
    case 'ready':
      return <li className="is-done">{t('ReadyForNoSignal')}</li>
    case 'fetching':
      return <li>{readiness.files ? t('FetchingFiles', { ...readiness.files }) : t('Fetching')}</li>
    case 'lacking':
      return (
        <li className="waits">
          {t(LACKING[readiness.lack])}
          {readiness.lack === 'details' && (
            <>
              {' '}
              <Link href={paths.confirmDetails(instanceId)}>{t('CompleteDetails')}</Link>
            </>
          )}
          {hasFetch && isFetchable(readiness.lack) && <FetchMissing instanceId={instanceId} />}
        </li>
      )
  }
}

function FetchMissing({ instanceId }: { instanceId: string }) {
  const { t } = useTranslation('player')
  const isReachable = useReachable()
  const { isBusy, fetchMissing } = useFetchMissing(useReaderId(), [{ instanceId }])
  if (!isReachable) return <> {t('ComesOnline')}</>
  return (
    <div className="player-fetch">
      <Button isBusy={isBusy} onClick={() => void fetchMissing()}>
        {t('FetchMissing')}
      </Button>
    </div>
  )
}
