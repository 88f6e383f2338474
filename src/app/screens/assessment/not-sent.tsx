import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link, useLocation } from 'wouter'
import { fetchInstance } from '#app/offline/instances.ts'
import { loadDeviceStore, loadOutbox, loadRescueFile } from '#app/offline/later.ts'
import type { StoredInstance } from '#app/offline/stored.ts'
import { tellChanged } from '#app/offline/sync-events.ts'
import { paths } from '#app/paths.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { troubleWords } from './trouble-words.ts'

/**
 * A refusal parks the answers: visible, with its reason, to try again, keep as a file or discard. Ruling 13
 * What has ended elsewhere takes them never: the way on is to the results or to the dashboard. Rulings 15, 16
 */
export function NotSent({ instance }: { instance: StoredInstance }) {
  const { t, i18n } = useTranslation(['assessment', 'errors'])
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const { userId, instanceId, summary } = instance
  const isCompleted = summary.status === 'COMPLETED'
  const wayOn = isOpen(summary.status) ? undefined : isCompleted ? paths.results(instanceId) : paths.home()

  const retry = async () => (await loadOutbox()).retry(instance)
  const download = async () => {
    const { download: save, rescueFile } = await loadRescueFile()
    save(await rescueFile(instance))
  }
  const discard = async () => {
    await (await loadDeviceStore()).discardUnsent(instance)
    if (wayOn !== undefined) navigate(wayOn)
    tellChanged(instance)
    if (wayOn !== undefined) return
    // what the account has comes back
    await (
      await fetchInstance(userId, instanceId, i18n.language)
    ).kept
    tellChanged(instance)
  }
  return (
    <div className="notice notice-wait" role="alert">
      <p>{t('TestNotSent', { reason: troubleWords(t, instance.trouble?.code) })}</p>
      <div className="row">
        {wayOn === undefined ? (
          <button type="button" className="button" onClick={() => void retry()}>
            {t('TryAgain')}
          </button>
        ) : (
          <Link href={wayOn} className="button button-primary">
            {t(isCompleted ? 'BriefDoneLink' : 'ReturnToDashboard')}
          </Link>
        )}
        <button type="button" className="button" onClick={() => void download()}>
          {t('TestDownload')}
        </button>
        {isAsking ? (
          <button type="button" className="button button-danger" onClick={() => void discard()}>
            {t('TestDiscardConfirm')}
          </button>
        ) : (
          <button type="button" className="button button-quiet" onClick={() => setAsking(true)}>
            {t('TestDiscard')}
          </button>
        )}
      </div>
    </div>
  )
}
