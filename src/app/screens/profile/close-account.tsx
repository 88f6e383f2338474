import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import { isApiError } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useSend } from '#app/api/use-send.ts'
import { withTimeout } from '#app/with-timeout.ts'
import { DEVICE_TIMEOUT_MS, SEND_BEFORE_LEAVING_TIMEOUT_MS } from '#app/constants.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { OtpSlots } from '#app/parts/steps/otp-slots.tsx'
import { paths } from '#app/paths.ts'
import { showNotCleared } from '#app/session/not-cleared.ts'
import { privateStore, type WaitingCounts } from '#app/session/private-store.ts'
import { serverEnd } from '#app/session/server-end.ts'
import { session, type LoginState } from '#app/session/session.ts'
import { signOut } from '#app/session/sign-out.ts'
import { useSession } from '#app/session/use-session.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { ConfirmDialog } from '#app/ui/feedback/confirm.dialog.tsx'
import { errorToast, toast } from '#app/ui/feedback/toast.ts'
import { CODE_MINUTES, ONE_TIME_CODE_LENGTH, REOPEN_DAYS } from '#contract/constants.ts'
import { users } from '#contract/users.ts'
import styles from './account-section.module.css'
import { closingLosses } from './closing-losses.ts'
import { CoachConsequences } from './coach-consequences.tsx'

const JUDGES_CODE = new Set<string>(['INVALID_CODE', 'CODE_EXPIRED', 'CODE_EXHAUSTED'])

/**
 * The last section of /profile: closes the account, confirmed by a code sent by e-mail. Unsent answers are sent first, so that
 * they are there if the account is reopened. PROFILE-42
 */
export function CloseAccount({ userId }: { userId: string }) {
  const { t } = useTranslation(['profile', 'shell'])
  const [, navigate] = useLocation()
  const { send: askForCode } = useSend(users.deactivateCode)
  const { send: deactivate } = useSend(users.deactivate)
  const { unavailable, isAsking, whenReachable } = useOnlineOnly()
  const isGone = useIsGone()
  const isCoach = useSession().userTypeCode === 'coach'
  const [isOpen, setIsOpen] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [waiting, setWaiting] = useState<WaitingCounts>()
  /** undefined until a code is requested */
  const [challengeId, setChallengeId] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const failureId = useId()
  /** each begins with the focus on the code's field */
  const [tries, setTries] = useState(0)
  const [code, setCode] = useState('')

  async function open(): Promise<void> {
    setIsBusy(true)
    const found = await privateStore()
      .then((store) => withTimeout(store.countWaiting(), DEVICE_TIMEOUT_MS, 'what is unsent was not counted in time'))
      .catch(() => undefined)
    setWaiting(found)
    startOver()
    setFailure(undefined)
    setIsBusy(false)
    setIsOpen(true)
  }

  function startOver(): void {
    setChallengeId(undefined)
    setCode('')
  }

  async function requestCode(): Promise<void> {
    setIsBusy(true)
    setFailure(undefined)
    try {
      const challenge = await askForCode({ params: { id: userId } })
      setChallengeId(challenge.session)
    } catch (error) {
      setFailure(messageFor(error))
    }
    setIsBusy(false)
  }

  /** Whether somebody else has signed in since, in another tab: they are told nothing of this. */
  function isOfAnother(): boolean {
    const { user } = session.get()
    return user !== undefined && user.id !== userId
  }

  async function close(challengeId: string): Promise<void> {
    setIsBusy(true)
    setFailure(undefined)
    try {
      await privateStore()
        .then((store) => withTimeout(store.sendNow(), SEND_BEFORE_LEAVING_TIMEOUT_MS, 'what is unsent was not sent in time'))
        .catch((error: unknown) => console.warn('Answers were not sent', error))
      // whoever has gone back has cancelled it
      if (isGone.current) return
      await deactivate({ params: { id: userId }, body: { session: challengeId, otp: code } })
      await leave()
    } catch (error) {
      if (isOfAnother()) return
      // the server has ended the session: after an earlier attempt, whose reply was lost, the sign-in screen says that the account is closed
      if (session.get().status === 'guest') return
      if (isApiError(error) && error.isOutcomeUnknown) serverEnd.noteClosing(true)
      // of a closed account no code is judged; any other refusal says nothing of an earlier attempt
      else if (isApiError(error) && JUDGES_CODE.has(error.code ?? '')) serverEnd.noteClosing(false)
      // the person has gone back
      if (isGone.current) {
        // something on the way replied, and another tab may have closed it
        const isUnsure = serverEnd.mayBeClosed() || !isApiError(error) || error.code === undefined
        return errorToast({ error }, t(isUnsure ? 'CloseAccountUnsure' : 'CloseAccountNotClosed', { reason: messageFor(error) }))
      }
      setFailure(messageFor(error))
      setCode('')
      setTries((before) => before + 1)
      // that code cannot be used again
      if (isApiError(error) && (error.code === 'CODE_EXPIRED' || error.code === 'CODE_EXHAUSTED')) startOver()
      setIsBusy(false)
    }
  }

  async function leave(): Promise<void> {
    if (isOfAnother()) return void signOut({ userId, keepUnsent: false })
    serverEnd.noteClosing(true)
    const isCleared = await signOut({ userId, keepUnsent: false })
    // one toast at a time: the screen says the other
    if (isCleared) toast(t('shell:AccountClosed'))
    else showNotCleared()
    const state: LoginState = isCleared ? {} : { ended: 'closed' }
    navigate(paths.login(), { replace: true, state })
  }

  const isComplete = code.length === ONE_TIME_CODE_LENGTH
  const missing = challengeId === undefined || isComplete ? undefined : t('CloseAccountCodeMissing')
  return (
    <section className={styles.section} aria-labelledby="close-account">
      {/* collapsed, as it is seldom needed */}
      <details className={styles.folded}>
        <summary>
          <h2 id="close-account">{t('CloseAccountTitle')}</h2>
        </summary>
        <div className="stack">
          <p className="soft">{t('CloseAccountText', { days: REOPEN_DAYS })}</p>
          <div>
            <OnlineOnlyButton isBusy={isBusy && !isOpen} onClick={() => void open()}>
              {t('CloseAccountButton')}
            </OnlineOnlyButton>
          </div>
        </div>
      </details>
      <ConfirmDialog
        isOpen={isOpen}
        title={t('CloseAccountQuestion')}
        confirmLabel={t(challengeId === undefined ? 'CloseAccountSendCode' : 'CloseAccountConfirm')}
        isDestructive
        isBusy={isBusy || isAsking}
        unavailable={unavailable ?? missing}
        onConfirm={() =>
          missing === undefined && whenReachable(() => void (challengeId === undefined ? requestCode() : close(challengeId)))
        }
        onClose={() => setIsOpen(false)}
      >
        <div className="stack">
          <p>{t('CloseAccountText', { days: REOPEN_DAYS })}</p>
          {isCoach ? <CoachConsequences /> : <p>{t('CloseAccountResultStays')}</p>}
          {closingLosses(waiting, t).map((line) => (
            <p key={line}>{line}</p>
          ))}
          {challengeId === undefined ? (
            <p>{t('CloseAccountCodeNeeded')}</p>
          ) : (
            <OtpSlots
              key={tries}
              label={t('CloseAccountCode', { digits: ONE_TIME_CODE_LENGTH })}
              hint={t('CloseAccountCodeSent', { minutes: CODE_MINUTES })}
              describedBy={failure === undefined ? undefined : failureId}
              value={code}
              isVerifying={isBusy || isAsking}
              onChange={setCode}
            />
          )}
          {failure && (
            <p id={failureId} role="alert" className="notice notice-wait">
              {failure}
            </p>
          )}
        </div>
      </ConfirmDialog>
    </section>
  )
}
