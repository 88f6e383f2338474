import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link, useLocation } from 'wouter'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { readInstance } from '#app/offline/instances.ts'
import { loadDeviceStore, loadOutbox, loadRescueFile } from '#app/offline/later.ts'
import type { StoredInstance } from '#app/offline/stored.ts'
import { tellChanged } from '#app/offline/sync-events.ts'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/button.tsx'
import { errorToast } from '#app/ui/toast.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import { troubleWords } from './trouble-words.ts'

/**
 * A refusal parks the answers: visible, with its reason, to try again, keep as a file or discard. Ruling 13
 * What has ended elsewhere takes them never: the way on is to the results or to the dashboard. Rulings 15, 16
 */
export function NotSent({ instance, unsent }: { instance: StoredInstance; unsent: number }) {
  const { t, i18n } = useTranslation(['assessment', 'errors'])
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const { instanceId, summary } = instance
  const { unavailable, whenReachable } = useOnlineOnly()
  const isCompleted = summary.status === 'COMPLETED'
  const wayOn = isOpen(summary.status) ? undefined : isCompleted ? paths.results(instanceId) : paths.home()

  const retry = async () => (await loadOutbox()).retry(instance)
  const download = async () => {
    const { download: save, rescueFile } = await loadRescueFile()
    save(await rescueFile(instance))
  }
  const discard = async () => {
    try {
      const { discardUnsent, editsOf } = await loadDeviceStore()
      const edits = await editsOf(instance)
      // nothing goes before what the account has is there to take its place
      await discardUnsent(instance, edits, wayOn === undefined ? await readInstance(instanceId, i18n.language) : undefined)
      if (wayOn !== undefined) navigate(wayOn)
      tellChanged(instance)
    } catch (error) {
      errorToast(messageFor(error))
    }
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
          <Button
            look="danger"
            unavailable={wayOn === undefined ? unavailable : undefined}
            onClick={() => (wayOn === undefined ? whenReachable(() => void discard()) : void discard())}
          >
            {t('TestDiscardConfirm', { count: unsent })}
          </Button>
        ) : (
          <button type="button" className="button button-quiet" onClick={() => setAsking(true)}>
            {t('TestDiscard')}
          </button>
        )}
      </div>
    </div>
  )
}
