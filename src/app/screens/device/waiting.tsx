import { useState } from 'react'
import { Link } from 'wouter'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useCall } from '#app/api/use-call.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { loadOutbox } from '#app/device/lazy.ts'
import type { DeviceStatus } from '#app/device/status.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { useMoment } from '#app/i18n/use-moment.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { SaveAnswersFile } from '#app/parts/assessment/save-answers-file.tsx'
import { paths } from '#app/paths.ts'
import { canBeSent, privateStore, type WaitingCounts } from '#app/session/private-store.ts'
import { useMissingAnswers } from '#app/session/use-left-accounts.ts'
import { isSubmitWaiting } from '#app/sync/sync.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { instances } from '#contract/instances.ts'
import { Discard } from './discard.tsx'
import { Others } from './others.tsx'
import { DeviceState } from '../player/device-state.tsx'
import styles from './device.module.css'
import { CAUSES } from './connection.tsx'
import { Part } from '#app/ui/layout/part.tsx'
import type { DeviceFacts } from './use-device-facts.ts'

/** What the server does not have, why, and what can be done about it. DEVICE-1 */
export function Waiting({ facts, isPlayer }: { facts: DeviceFacts; isPlayer: boolean }) {
  const { t } = useTranslation(['device', 'leaving'])
  const { waiting, isSlow } = facts
  const missing = useMissingAnswers()
  const statuses = facts.statuses.filter((status) => (status.summary === undefined ? !isEmpty(status) : !isOver(status)))
  // also if the device cannot be read: what it did not store is in an open page
  const canSend = waiting === null ? statuses.some(isOnPageOnly) : waiting !== undefined && canBeSent(waiting)
  return (
    <Part id="waiting" title={t('device:WaitingTitle')}>
      <div role="status">
        {waiting === undefined && isSlow && <p>{t('device:WaitingSlow')}</p>}
        {waiting === null && <p>{t('device:WaitingUnknown')}</p>}
        {waiting && <Sum waiting={waiting} isPlayer={isPlayer} isAllHere={!waiting.isDeleted && missing === 0} />}
        {waiting?.isDeleted && <p>{t('device:WaitingDeleted')}</p>}
      </div>
      {canSend && <SendNow facts={facts} />}
      {statuses.length > 0 && (
        <ul className={styles.list}>
          {statuses.map((status) => (
            <li key={status.instanceId}>
              <OneInstance status={status} />
            </li>
          ))}
        </ul>
      )}
      <Others userId={useReaderId()} />
      <p>
        <Link href={paths.answersFile()} className={styles.link}>
          {t('device:BringFile')}
        </Link>
      </p>
    </Part>
  )
}

const isOnPageOnly = ({ unwritten, unwrittenElsewhere }: DeviceStatus) => unwritten + unwrittenElsewhere > 0

function Sum({
  waiting: { answers, unwritten, late, submits, marks, unwrittenMarks, hasDraft },
  isPlayer,
  isAllHere,
}: {
  waiting: WaitingCounts
  isPlayer: boolean
  /** nothing is known to be lost, or to belong to an account that the server does not have */
  isAllHere: boolean
}) {
  const { t } = useTranslation('device')
  const lines = [
    answers > 0 && t('WaitingAnswers', { count: answers }),
    unwritten > 0 && t('WaitingUnwritten', { count: unwritten }),
    late > 0 && t('WaitingLate', { count: late }),
    submits > 0 && t('WaitingSubmits', { count: submits }),
    marks > 0 && t('WaitingMarks', { count: marks }),
    unwrittenMarks > 0 && t('WaitingUnwrittenMarks', { count: unwrittenMarks }),
    hasDraft && t('WaitingDraft'),
  ].filter((line) => line !== false)
  if (lines.length === 0 && !isAllHere) return null
  if (lines.length === 0) return <p>{t(isPlayer ? 'WaitingNothing' : 'WaitingNothingCoach')}</p>
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function SendNow({ facts }: { facts: DeviceFacts }) {
  const { t } = useTranslation(['device', 'errors'])
  const moment = useMoment()
  const { unavailable, whenReachable } = useOnlineOnly()
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)

  async function send(): Promise<void> {
    setBusy(true)
    setFailed(false)
    try {
      const store = await privateStore()
      await store.sendNow()
      setFailed(canBeSent(await store.countWaiting()))
    } catch (error) {
      console.error('Could not send what is waiting', error)
      setFailed(true)
    } finally {
      await facts.refresh()
      setBusy(false)
    }
  }

  return (
    <div className="stack">
      <div>
        <Button
          variant="primary"
          isBusy={isBusy}
          unavailable={isBusy ? undefined : unavailable}
          onClick={() => whenReachable(() => void send())}
        >
          {t('device:SendNow')}
        </Button>
      </div>
      {hasFailed && (
        <>
          <p role="alert">{t('device:SendFailed')}</p>
          {/* apart, as it changes by itself, and an alert would be read aloud each time */}
          <p>
            {t(isSaidBelow(facts) ? 'device:SendFailedWhyBelow' : reasonOf(facts))}
            {!isSaidBelow(facts) && facts.retryBy !== undefined && ` ${t('device:AgainBy', { time: moment(facts.retryBy) })}`}
          </p>
        </>
      )}
    </div>
  )
}

/** At its assessment, or under "Connection": the same in other words would be one too many. */
function isSaidBelow({ waiting, network, isTooOld, troubleSince }: DeviceFacts): boolean {
  return network === 'offline' || isTooOld || waiting?.refusal !== undefined || troubleSince !== undefined
}

/** Why nothing could be sent: the present reason, not that of the tap. */
const reasonOf = ({ troubleCause }: DeviceFacts) => (troubleCause ? `device:${CAUSES[troubleCause]}` : 'errors:UNAVAILABLE')

/** A refused Submit counts, too, even if every answer has arrived. */
const canBeDiscarded = ({ unsent, late, finish, trouble }: DeviceStatus) =>
  unsent + late > 0 || (isSubmitWaiting(finish) && trouble !== null)

/** No answer of it is on this device. */
const isEmpty = ({ answered, unsent, unwritten, unwrittenElsewhere, late }: DeviceStatus) =>
  answered + unsent + unwritten + unwrittenElsewhere + late === 0

/** Taken back by the coach, and nothing of it is left here: there is nothing to open. */
const isOver = (status: DeviceStatus) => status.summary?.status === 'RECLAIMED' && isEmpty(status)

function OneInstance({ status }: { status: DeviceStatus }) {
  const { t } = useTranslation('device')
  const moment = useMoment()
  const userId = useReaderId()
  const { instanceId, summary, isNamed, unsent, late } = status
  const list = useCall(instances.list, { query: { userId } }, { enabled: userId !== undefined && !isNamed })
  // where the list cannot be read, it may be an older one in the other language
  const listed = isNamed ? undefined : list.data?.data.find((one) => one.instanceId === instanceId)
  const name = (listed ?? summary)?.name
  const isUnfinished = summary?.status !== 'COMPLETED' || unsent > 0
  return (
    <>
      <h3>{name ? <AssessmentName name={name} /> : t('NotStoredAssessment')}</h3>
      <DeviceState instanceId={instanceId} status={status} />
      {status.trouble && <p className="soft">{t('RefusedAt', { moment: moment(status.trouble.at) })}</p>}
      {summary?.status === 'COMPLETED' && isEmpty(status) && <p>{t('AnswersRemoved')}</p>}
      {unsent > 0 && (
        <p className="soft">{status.savedAt === null ? t('NeverAcknowledged') : t('AcknowledgedAt', { moment: moment(status.savedAt) })}</p>
      )}
      <div className={styles.buttons}>
        {(summary !== undefined || status.trouble === null) && (
          <Link href={isUnfinished ? paths.test(instanceId) : paths.results(instanceId)} className="button">
            {t(unsent + late > 0 && status.trouble ? 'OpenToDecide' : isUnfinished ? 'OpenAssessment' : 'OpenResults')}
          </Link>
        )}
        {userId !== undefined && status.trouble && <TryAgain instanceKey={{ userId, instanceId }} />}
        {userId !== undefined && (status.answered > 0 || status.unwritten > 0) && (
          <SaveAnswersFile instance={{ userId, instanceId }}>{t('SaveFile')}</SaveAnswersFile>
        )}
        {userId !== undefined && canBeDiscarded(status) && <Discard instanceKey={{ userId, instanceId }} status={status} />}
      </div>
      {status.unwrittenElsewhere > 0 && <p className="soft">{t('FileLacks', { count: status.unwrittenElsewhere })}</p>}
    </>
  )
}

/** Sends again what the server refused. */
function TryAgain({ instanceKey }: { instanceKey: InstanceKey }) {
  const { t } = useTranslation('device')
  const { unavailable, whenReachable } = useOnlineOnly()
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    await loadOutbox()
      .then((outbox) => outbox.retry(instanceKey))
      .catch((error: unknown) => console.warn('The refused answers could not be sent again', error))
    setBusy(false)
  }
  return (
    <Button isBusy={isBusy} unavailable={isBusy ? undefined : unavailable} onClick={() => whenReachable(() => void retry())}>
      {t('TryAgain')}
    </Button>
  )
}
