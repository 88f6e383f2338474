import { useRef, useState } from 'react'
import { staysUnknown } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { DataTable, TableCell } from '#app/ui/tables/data-table.tsx'
import { Pagination } from '#app/ui/tables/pagination.tsx'
import { PAGE_SIZE } from '#contract/constants.ts'
import { jobsForOperator, type Job, type JobCount, type JobQueue } from '#contract/jobs.operator.ts'
import { columnsOf } from './columns.ts'
import { ReadPart, type PartProps } from './read-part.tsx'
import { useOperatorRead } from './use-operator-read.ts'

/** Mails and other work that failed, waits or runs, to be tried again: one job, or all of a queue. OPERATE-10 */
export function Jobs({ call, refreshKey }: PartProps) {
  const { t } = useTranslation('operator')
  const [page, setPage] = useState(0)
  const [repeats, setRepeats] = useState(0)
  const [outcome, setOutcome] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [underWay, setUnderWay] = useState<string>()
  // the jobs and queues of which it is unknown whether they are tried again
  const mayBeRepeated = useRef(new Set<string>())
  const read = useOperatorRead(refreshKey + repeats, String(page), (signal) =>
    call(jobsForOperator.list, { query: { page: page + 1, limit: PAGE_SIZE } }, { signal }),
  )
  const { queues = [], data = [], total = 0 } = read.data ?? {}

  async function repeat(queue: JobQueue, jobId?: string): Promise<void> {
    const wanted = jobId ?? queue
    setUnderWay(wanted)
    setOutcome(undefined)
    setFailure(undefined)
    try {
      const { repeated } = await call(jobsForOperator.repeat, { body: { queue, ...(jobId === undefined ? {} : { jobId }) } })
      mayBeRepeated.current.delete(wanted)
      setOutcome(t('Repeated', { count: repeated }))
    } catch (error) {
      const isUnknown = staysUnknown(mayBeRepeated.current.has(wanted), error)
      if (isUnknown) mayBeRepeated.current.add(wanted)
      else mayBeRepeated.current.delete(wanted)
      setFailure(isUnknown ? `${messageFor(error)} ${t('MayBeRepeated')}` : messageFor(error))
    }
    setUnderWay(undefined)
    setRepeats((before) => before + 1)
  }

  return (
    <ReadPart id="jobs" title={t('JobsTitle')} read={read}>
      <ul>
        {queues.map((count) => (
          <Count key={count.queue} count={count} isBusy={underWay === count.queue} onRepeat={() => void repeat(count.queue)} />
        ))}
      </ul>
      <p role="status">{outcome}</p>
      {failure !== undefined && <p role="alert">{failure}</p>}
      {total === 0 ? (
        <p>{t('JobsNone')}</p>
      ) : (
        <>
          <JobTable jobs={data} underWay={underWay} onRepeat={(job) => void repeat(job.queue, job.jobId)} />
          <Pagination label={t('JobPages')} page={page} rows={total} onPage={setPage} />
        </>
      )}
    </ReadPart>
  )
}

function Count({
  count: { queue, waiting, running, failed },
  isBusy,
  onRepeat,
}: {
  count: JobCount
  isBusy: boolean
  onRepeat: () => void
}) {
  const { t } = useTranslation('operator')
  return (
    <li>
      {t(queue === 'mails' ? 'MailsCount' : 'SweepsCount', { waiting, running, failed })}{' '}
      {failed > 0 && (
        <Button isBusy={isBusy} onClick={onRepeat}>
          {t(queue === 'mails' ? 'RepeatMails' : 'RepeatSweeps')}
        </Button>
      )}
    </li>
  )
}

const WIDTHS = { name: 126, state: 130, since: 90, tries: 70, error: 190, again: 140 }

interface TableProps {
  jobs: readonly Job[]
  /** id of the job, or name of the queue, that is being repeated */
  underWay: string | undefined
  onRepeat: (job: Job) => void
}

function JobTable({ jobs, underWay, onRepeat }: TableProps) {
  const { t } = useTranslation('operator')
  const moment = useMoment()
  const names = {
    name: t('JobName'),
    state: t('JobState'),
    since: t('Since'),
    tries: t('JobTries'),
    error: t('JobError'),
    again: t('JobAgain'),
  }
  const columns = columnsOf(names, WIDTHS)
  return (
    <DataTable label={t('JobTable')} columns={columns}>
      {jobs.map((job) => (
        <tr key={job.jobId}>
          <th scope="row">
            <code lang="en">{job.name}</code>
          </th>
          <TableCell name={names.state}>{stateText(job, t, moment)}</TableCell>
          <TableCell name={names.since}>{moment(Date.parse(job.since))}</TableCell>
          <TableCell name={names.tries}>{job.tries}</TableCell>
          <TableCell name={names.error}>{job.lastError === null ? '-' : <code lang="en">{job.lastError}</code>}</TableCell>
          <TableCell name={names.again}>
            {job.state === 'running' ? (
              '-'
            ) : (
              <Button isBusy={underWay === job.jobId} aria-label={t('RepeatOf', { name: job.name })} onClick={() => onRepeat(job)}>
                {t('Repeat')}
              </Button>
            )}
          </TableCell>
        </tr>
      ))}
    </DataTable>
  )
}

function stateText({ state, nextTryAt }: Job, t: ReturnType<typeof useTranslation>['t'], moment: ReturnType<typeof useMoment>): string {
  if (state === 'failed') return t('JobFailed')
  if (state === 'running') return t('JobRunning')
  return nextTryAt === null ? t('JobWaiting') : t('JobWaitingUntil', { moment: moment(Date.parse(nextTryAt)) })
}
