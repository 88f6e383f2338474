import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError } from '#app/api/api-error.ts'
import { messageFor, reasonFor } from '#app/api/message-for.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { fetchReport, storedReport, type DeviceReport } from '#app/device/report.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { ReportLink } from '#app/parts/assessment/report-link.tsx'
import { download } from '#app/ui/browser/download.ts'
import { Button } from '#app/ui/forms/button.tsx'
import type { InstanceSummary } from '#contract/instances.ts'
import { nameInReport } from '#contract/rules/report-letters.ts'
import styles from './results.module.css'

/** The player's own report as a PDF, and the sample. RESULTS-16, RESULTS-17 */
export function Reports({ summary }: { summary: InstanceSummary }) {
  const { t } = useTranslation(['assessment', 'results'])
  return (
    <section className={`${styles.section} ${styles.report}`} aria-labelledby="report">
      <h2 id="report">{t('results:ResultsReportTitle')}</h2>
      <OwnReport instanceId={summary.instanceId} playerName={[summary.userName, summary.userLastname].filter(Boolean).join(' ')} />
      <p>{t('results:ResultsReportText')}</p>
      <ReportLink file={summary.SampleReportFilename} className={styles.reportLink}>
        {t('results:ResultsReportLink')}
      </ReportLink>
    </section>
  )
}

function OwnReport({ instanceId, playerName }: { instanceId: string; playerName: string }) {
  const { t } = useTranslation(['assessment', 'results'])
  const moment = useMoment()
  const { held, isFetching, failure, fetch } = useReport(instanceId)
  const { unavailable, whenReachable } = useOnlineOnly()

  async function save(report: DeviceReport | undefined): Promise<void> {
    if (report) download(new File([report.content], t('results:ResultsOwnReportFile'), { type: 'application/pdf' }))
  }

  const state = held
    ? held.isStored
      ? 'results:ResultsOwnReportHere'
      : 'results:ResultsOwnReportNotStored'
    : 'results:ResultsOwnReportNotHere'
  return (
    <>
      <p>{t('results:ResultsOwnReportText')}</p>
      {nameInReport(playerName) === undefined && <p>{t('results:ResultsOwnReportNameless')}</p>}
      <Button
        isBusy={isFetching}
        unavailable={held || isFetching ? undefined : unavailable}
        onClick={() => (held ? void save(held) : whenReachable(() => void fetch().then(save)))}
      >
        {t(held ? 'results:ResultsOwnReportOpen' : 'results:ResultsOwnReportLink')}
      </Button>
      {held && !isFetching && (
        <Button
          variant="quiet"
          unavailable={unavailable}
          isReasonShown={false}
          onClick={() => whenReachable(() => void fetch().then(save))}
        >
          {t('results:ResultsOwnReportAgain')}
        </Button>
      )}
      <p className="soft small" role="status">
        {isFetching ? t('results:ResultsOwnReportFetching') : t(state, { moment: held ? moment(held.at) : '' })}
      </p>
      {failure !== undefined && (
        <p role="alert">
          {t('results:ResultsOwnReportFailed')} {reasonOf(failure) ?? t('results:ResultsOwnReportTryAgain')}
          {held && ` ${t('results:ResultsOwnReportStays')}`}
        </p>
      )}
    </>
  )
}

/** A refusal of our server has its own words, and so has a failure that may pass, such as a proxy's page. RESULTS-17 */
function reasonOf(failure: unknown): string | undefined {
  return isApiError(failure) && failure.code ? messageFor(failure) : reasonFor(failure)
}

/** The report that the device holds, and its download. `fetch` resolves with it, or with undefined if it failed. */
function useReport(instanceId: string) {
  const { i18n } = useTranslation(['assessment', 'results', 'errors'])
  const userId = useReaderId() ?? ''
  const client = useQueryClient()
  const [isFetching, setFetching] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const queryKey = ['Device', 'report', instanceId, i18n.language, userId]
  const { data: held } = useQuery({
    queryKey,
    queryFn: () => storedReport(userId, instanceId, i18n.language),
    retry: false,
    enabled: userId !== '',
  })

  async function fetch(): Promise<DeviceReport | undefined> {
    setFailure(undefined)
    setFetching(true)
    try {
      const report = await fetchReport(userId, instanceId, i18n.language)
      client.setQueryData(queryKey, report)
      return report
    } catch (error) {
      setFailure(error)
      return undefined
    } finally {
      setFetching(false)
    }
  }

  return { held: held ?? undefined, isFetching, failure, fetch }
}
