import { useState } from 'react'
import { useLocation } from 'wouter'
import { messageFor } from '#app/api/message-for.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useSend } from '#app/api/use-send.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import { privateStore } from '#app/session/private-store.ts'
import { signOut } from '#app/session/sign-out.ts'
import { ConfirmDialog } from '#app/ui/confirm.dialog.tsx'
import { errorToast, toast } from '#app/ui/toast.ts'
import { REOPEN_DAYS } from '#contract/constants.ts'
import { users } from '#contract/users.ts'
import styles from './close-account.module.css'

/** The last section of /profile. What waits on the device is sent first, so that it comes back with the account. promises §4 Deactivate */
export function CloseAccount({ userId }: { userId: string }) {
  const { t } = useTranslation('profile')
  const [, navigate] = useLocation()
  const { send } = useSend(users.deactivate)
  const { unavailable, whenReachable } = useOnlineOnly()
  const [isOpen, setIsOpen] = useState(false)
  const [isClosing, setIsClosing] = useState(false)
  const [unsent, setUnsent] = useState(0)

  async function open(): Promise<void> {
    const waiting = await privateStore()
      .then((store) => store.countWaiting())
      .catch(() => undefined)
    setUnsent(waiting?.answers ?? 0)
    setIsOpen(true)
  }

  async function close(): Promise<void> {
    setIsClosing(true)
    try {
      await privateStore()
        .then((store) => store.sendNow())
        .catch((error: unknown) => console.warn('Answers were not sent', error))
      await send({ params: { id: userId } })
      await signOut({ keepUnsent: false })
      toast(t('CloseAccountDone'))
      navigate(paths.login(), { replace: true })
    } catch (error) {
      errorToast(messageFor(error))
      setIsClosing(false)
    }
  }

  return (
    <section className={`stack ${styles.section}`} aria-labelledby="close-account">
      <h2 id="close-account">{t('CloseAccountTitle')}</h2>
      <p className="soft">{t('CloseAccountText', { days: REOPEN_DAYS })}</p>
      <div>
        <OnlineOnlyButton onClick={() => void open()}>{t('CloseAccountButton')}</OnlineOnlyButton>
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        title={t('CloseAccountQuestion')}
        confirmLabel={t('CloseAccountConfirm')}
        isDestructive
        isBusy={isClosing}
        unavailable={unavailable}
        onConfirm={() => whenReachable(() => void close())}
        onClose={() => setIsOpen(false)}
      >
        <div className="stack">
          <p>{t('CloseAccountText', { days: REOPEN_DAYS })}</p>
          {unsent > 0 && <p>{t('CloseAccountUnsent', { count: unsent })}</p>}
        </div>
      </ConfirmDialog>
    </section>
  )
}
