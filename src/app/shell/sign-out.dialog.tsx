import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation } from 'wouter'
import { network } from '#app/api/network.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { updateRequired } from '#app/api/update-required.ts'
import { withTimeout } from '#app/api/with-timeout.ts'
import { DEVICE_TIMEOUT_MS, SEND_BEFORE_LEAVING_TIMEOUT_MS } from '#app/constants.ts'
import { paths } from '#app/paths.ts'
import { showNotCleared } from '#app/session/not-cleared.ts'
import { privateStore, type PrivateStore, type Waiting } from '#app/session/private-store.ts'
import { signOut } from '#app/session/sign-out.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { ConfirmDialog } from '#app/ui/feedback/confirm.dialog.tsx'
import { Dialog } from '#app/ui/feedback/dialog.tsx'
import { leavingWords, type Unread } from './sign-out-words.ts'

/** The unsent data on this device, as far as it could be counted. */
type Found = Waiting | 'nothing' | Unread

const canBeSent = (found: Waiting | Unread) =>
  'inPages' in found ? found.inPages.answers + found.inPages.marks > 0 : found.answers + found.submits + found.marks > 0
const isHere = (waiting: Waiting) => canBeSent(waiting) || waiting.late > 0 || waiting.hasDraft
const foundOf = (waiting: Waiting): Found => (isHere(waiting) || waiting.isDeleted ? waiting : 'nothing')

type Step = 'counting' | 'sending' | 'leaving' | undefined

const whyNotSent = () => (!network.isReachable() ? 'FETCH_ERROR' : updateRequired.get() ? 'UPDATE_REQUIRED' : 'UNAVAILABLE')

async function countUnsent(): Promise<Found> {
  let store: PrivateStore | undefined
  try {
    store = await privateStore()
    return foundOf(await withTimeout(store.countWaiting(), DEVICE_TIMEOUT_MS, 'what is unsent was not counted in time'))
  } catch (error) {
    console.error('The unsent data could not be counted', error)
    return { inPages: (await store?.countInPages()) ?? { answers: 0, marks: 0 } }
  }
}

const sendNow = async () =>
  withTimeout((await privateStore()).sendNow(), SEND_BEFORE_LEAVING_TIMEOUT_MS, 'what is unsent was not sent in time')

/** Signs out at once if nothing is unsent; otherwise names what is, or says that it is unknown, and lets the user choose (SESSION-17). */
export function SignOutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [found, setFound] = useState<Found>('nothing')
  const [failure, setFailure] = useState<string>()
  const [doing, setDoing] = useState<Step>()

  async function leave(keepUnsent: boolean): Promise<void> {
    setDoing('leaving')
    const isCleared = await signOut({ keepUnsent })
    if (!isCleared) showNotCleared()
    navigate(paths.login(), { replace: true })
  }

  async function sendThenLeave(): Promise<void> {
    setDoing('sending')
    setFailure(undefined)
    await sendNow().catch((error: unknown) => console.error('The unsent data could not be sent', error))
    const left = await countUnsent()
    // that something was deleted was read before
    if (left === 'nothing' || !('inPages' in left || isHere(left))) return leave(true)
    setFound(left)
    if (canBeSent(left)) setFailure(('refusal' in left && left.refusal) || whyNotSent())
    setDoing(undefined)
  }

  async function countThenLeave(): Promise<void> {
    setDoing('counting')
    const seen = await countUnsent()
    if (seen === 'nothing') return leave(true)
    setFound(seen)
    setDoing(undefined)
  }

  useEffect(() => {
    if (!isOpen) return
    setFound('nothing')
    setFailure(undefined)
    void countThenLeave()
    // only when the dialog opens
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isOpen])

  if (!isOpen) return null
  if (found === 'nothing') return <SigningOut />
  return (
    <Suspense fallback={null}>
      <WaitingDialog
        found={found}
        failure={failure}
        doing={doing}
        onCountAgain={() => void countThenLeave()}
        onSend={() => void sendThenLeave()}
        onLeave={(keepUnsent) => void leave(keepUnsent)}
        onClose={onClose}
      />
    </Suspense>
  )
}

/** Shown while unsent data is counted, which may have to load a part of the app, and while the server ends the session. */
function SigningOut() {
  const { t } = useTranslation('shell')
  return (
    <div className="leaving" role="status">
      <span className="spinner" />
      {t('SigningOut')}
    </div>
  )
}

interface WaitingProps {
  found: Waiting | Unread
  /** error code of the last attempt to send */
  failure: string | undefined
  doing: Step
  onCountAgain: () => void
  onSend: () => void
  onLeave: (keepUnsent: boolean) => void
  onClose: () => void
}

/** Loads its texts when it is shown, as most people sign out without seeing it. */
function WaitingDialog({ found, failure, doing, onCountAgain, onSend, onLeave, onClose }: WaitingProps) {
  const { t } = useTranslation(['leaving', 'errors'])
  const [isDiscarding, setIsDiscarding] = useState(false)
  const { title, lines, keep, discard } = leavingWords(found, t)

  if (isDiscarding) {
    return (
      <ConfirmDialog
        isOpen
        title={discard ?? t('LeaveUnsubmittedTitle')}
        confirmLabel={t(discard ? 'DiscardAndSignOut' : 'LeaveUnsubmitted')}
        isDestructive={discard !== undefined}
        isBusy={doing === 'leaving'}
        onConfirm={() => onLeave(false)}
        onClose={() => setIsDiscarding(false)}
      >
        {t(discard ? 'DiscardText' : 'LeaveUnsubmittedText')}
      </ConfirmDialog>
    )
  }

  const isSendable = canBeSent(found)
  const isLeaving = doing === 'leaving'
  const isUnread = 'inPages' in found
  const buttons = (
    <div className="stack">
      {isSendable && (
        <div>
          <OnlineOnlyButton variant="primary" isWide isBusy={doing === 'sending'} isInert={isLeaving} onClick={() => onSend()}>
            {t('SendNow')}
          </OnlineOnlyButton>
        </div>
      )}
      {isUnread && (
        <Button variant={isSendable ? 'plain' : 'primary'} isWide isBusy={doing === 'counting'} isInert={isLeaving} onClick={onCountAgain}>
          {t('LookAgain')}
        </Button>
      )}
      <Button variant={isSendable || isUnread ? 'plain' : 'primary'} isWide isBusy={isLeaving} onClick={() => onLeave(true)}>
        {keep}
      </Button>
      {(isUnread || isHere(found)) && (
        <Button isWide variant="quiet" isInert={isLeaving} onClick={() => setIsDiscarding(true)}>
          {t(discard ? 'Discard' : 'LeaveUnsubmitted')}
        </Button>
      )}
      <Button isWide variant="quiet" isInert={isLeaving} onClick={onClose}>
        {t('StaySignedIn')}
      </Button>
    </div>
  )
  return (
    <Dialog isOpen title={title} isBusy={doing !== undefined} onClose={onClose} actions={buttons}>
      <div className="stack">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {failure !== undefined && (
          <p role="alert" className="notice notice-wait">
            {t('SendFailed', { reason: t([`errors:${failure}`, 'errors:UNEXPECTED']) })}
          </p>
        )}
      </div>
    </Dialog>
  )
}
