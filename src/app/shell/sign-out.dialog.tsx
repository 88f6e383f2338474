import { Suspense, useEffect, useRef, useState } from 'react'
import { loadAreas } from '#app/i18n/i18n.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation } from 'wouter'
import { network } from '#app/api/network.ts'
import { reportStuckPart } from '#app/lost-part.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { updateRequired } from '#app/api/update-required.ts'
import { withTimeout } from '#app/with-timeout.ts'
import { DEVICE_TIMEOUT_MS, SEND_BEFORE_LEAVING_TIMEOUT_MS } from '#app/constants.ts'
import { paths } from '#app/paths.ts'
import { showNotCleared } from '#app/session/not-cleared.ts'
import { canBeSent, privateStore, type InPages, type PrivateStore, type WaitingCounts } from '#app/session/private-store.ts'
import { signOut } from '#app/session/sign-out.ts'
import { useOnDemand } from '#app/ui/browser/on-demand.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { ConfirmDialog } from '#app/ui/feedback/confirm.dialog.tsx'
import { Dialog } from '#app/ui/feedback/dialog.tsx'
import { errorToast } from '#app/ui/feedback/toast.ts'
import { leavingWords, type Unread } from './sign-out-words.ts'

/** The unsent data on this device, as far as it could be counted. */
type Found = WaitingCounts | 'nothing' | Unread

const hasSendable = (found: WaitingCounts | Unread) => canBeSent('inPages' in found ? found.inPages : found)
const isHere = (waiting: WaitingCounts) => canBeSent(waiting) || waiting.late > 0 || waiting.hasDraft
const foundOf = (waiting: WaitingCounts): Found => (isHere(waiting) || waiting.isDeleted ? waiting : 'nothing')

type Step = 'counting' | 'sending' | 'leaving'

/** Why the dialog is still there: an error code of the last attempt to send, or that discarding would discard more than was named. */
type WhyStillHere = { notSent: string } | 'more unsent'

/** Whether more is unsent than was named. */
function hasMore(seen: Found, named: WaitingCounts | Unread): seen is WaitingCounts | Unread {
  if (seen === 'nothing' || 'inPages' in named) return false
  if ('inPages' in seen) return true
  return COUNTS.some((count) => seen[count] > named[count]) || (seen.hasDraft && !named.hasDraft)
}

const COUNTS = ['answers', 'late', 'submits', 'marks', 'unwrittenMarks'] as const

function whyNotSent(): string {
  if (!network.isReachable()) return 'FETCH_ERROR'
  return updateRequired.get() ? 'UPDATE_REQUIRED' : 'UNAVAILABLE'
}

async function findUnsent(): Promise<Found> {
  let store: PrivateStore | undefined
  try {
    store = await privateStore()
    return foundOf(await withTimeout(store.countWaiting(), DEVICE_TIMEOUT_MS, 'what is unsent was not counted in time'))
  } catch (error) {
    console.error('The unsent data could not be counted', error)
    return { inPages: await findInPages(store) }
  }
}

/** What is in pages that do not reply either is unknown, as the rest is. */
const findInPages = async (store: PrivateStore | undefined): Promise<InPages> =>
  (await withTimeout(store?.countInPages() ?? Promise.resolve(undefined), DEVICE_TIMEOUT_MS, 'the open pages were not asked in time').catch(
    () => undefined,
  )) ?? { answers: 0, marks: 0 }

const sendInTime = async () =>
  withTimeout((await privateStore()).sendNow(), SEND_BEFORE_LEAVING_TIMEOUT_MS, 'what is unsent was not sent in time')

/** Loaded when something is unsent, as most people sign out without seeing them. */
const loadWords = async () => {
  await loadAreas(['leaving'])
  return {}
}

/** Signs out at once if nothing is unsent; otherwise names what is, or says that it is unknown, and lets the user choose (SESSION-17). */
export function SignOutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [found, setFound] = useState<Found>('nothing')
  const [trouble, setTrouble] = useState<WhyStillHere>()
  const [doing, setDoing] = useState<Step>()
  const [isDiscarding, setIsDiscarding] = useState(false)
  /** What is under way. A ref: a check of the connection may end before the next render. */
  const underWay = useRef<object>(undefined)
  const isGone = useIsGone()
  const words = useOnDemand(loadWords, isOpen && found !== 'nothing')
  const areWordsLost = words === 'lost'

  /** Returns whether it is still wanted, as staying and going back give it up; undefined if something else is under way. */
  function begin(step: Step): (() => boolean) | undefined {
    if (underWay.current) return undefined
    const mine = {}
    underWay.current = mine
    setDoing(step)
    return () => underWay.current === mine && !isGone.current
  }

  function end(): void {
    underWay.current = undefined
    setDoing(undefined)
  }

  function stay(): void {
    end()
    onClose()
  }

  async function leave(keepUnsent: boolean): Promise<void> {
    setDoing('leaving')
    const isCleared = await signOut({ keepUnsent })
    if (!isCleared) showNotCleared()
    navigate(paths.login(), { replace: true })
  }

  async function keepThenLeave(): Promise<void> {
    if (begin('leaving')) await leave(true)
  }

  /** Discards only what was named: another tab may have been answered in meanwhile. */
  async function discardThenLeave(): Promise<void> {
    const isWanted = found === 'nothing' ? undefined : begin('leaving')
    if (found === 'nothing' || !isWanted) return
    const seen = 'inPages' in found ? found : await findUnsent()
    if (!isWanted()) return
    if (!hasMore(seen, found)) return leave(false)
    setFound(seen)
    setTrouble('inPages' in seen ? undefined : 'more unsent')
    setIsDiscarding(false)
    end()
  }

  async function sendThenLeave(): Promise<void> {
    const isWanted = begin('sending')
    if (!isWanted) return
    setTrouble(undefined)
    await sendInTime().catch((error: unknown) => console.error('The unsent data could not be sent', error))
    const left = await findUnsent()
    if (!isWanted()) return
    // that something was deleted was read before
    if (left === 'nothing' || !('inPages' in left || isHere(left))) return leave(true)
    setFound(left)
    if (hasSendable(left)) setTrouble({ notSent: ('refusal' in left && left.refusal) || whyNotSent() })
    end()
  }

  async function countThenLeave(): Promise<void> {
    const isWanted = begin('counting')
    if (!isWanted) return
    const seen = await findUnsent()
    if (!isWanted()) return
    if (seen === 'nothing') return leave(true)
    setFound(seen)
    end()
  }

  useEffect(() => {
    if (!isOpen) return
    setFound('nothing')
    setTrouble(undefined)
    setIsDiscarding(false)
    void countThenLeave()
    // oxlint-disable-next-line react/exhaustive-deps -- only when the dialog opens
  }, [isOpen])

  useEffect(() => {
    if (!areWordsLost) return
    errorToast('shell:NotSignedOut')
    reportStuckPart()
    stay()
    // oxlint-disable-next-line react/exhaustive-deps -- only when they are lost
  }, [areWordsLost])

  if (!isOpen) return null
  if (found === 'nothing' || words === undefined || words === 'lost') return <SigningOut />
  return (
    <Suspense fallback={<SigningOut />}>
      <WaitingDialog
        found={found}
        trouble={trouble}
        doing={doing}
        onCountAgain={() => void countThenLeave()}
        onSend={() => void sendThenLeave()}
        isDiscarding={isDiscarding}
        onAskDiscard={setIsDiscarding}
        onKeep={() => void keepThenLeave()}
        onDiscard={() => void discardThenLeave()}
        onClose={stay}
      />
    </Suspense>
  )
}

/** Shown while unsent data is counted and its words are loaded, which may have to load a part of the app, and while the device is cleared. */
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
  found: WaitingCounts | Unread
  trouble: WhyStillHere | undefined
  doing: Step | undefined
  onCountAgain: () => void
  onSend: () => void
  /** the question whether to discard */
  isDiscarding: boolean
  onAskDiscard: (isAsked: boolean) => void
  onKeep: () => void
  onDiscard: () => void
  onClose: () => void
}

function WaitingDialog({
  found,
  trouble,
  doing,
  isDiscarding,
  onCountAgain,
  onSend,
  onAskDiscard,
  onKeep,
  onDiscard,
  onClose,
}: WaitingProps) {
  const { t } = useTranslation(['leaving', 'errors'])
  const { title, lines, keep, discard, alsoDiscarded } = leavingWords(found, t)

  if (isDiscarding) {
    return (
      <ConfirmDialog
        isOpen
        title={discard ?? t('LeaveUnsubmittedTitle')}
        confirmLabel={t(discard ? 'DiscardAndSignOut' : 'LeaveUnsubmitted')}
        isDestructive={discard !== undefined}
        isBusy={doing === 'leaving'}
        onConfirm={onDiscard}
        onClose={() => onAskDiscard(false)}
      >
        <div className="stack">
          {[...alsoDiscarded, t(discard ? 'DiscardText' : 'LeaveUnsubmittedText')].map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </ConfirmDialog>
    )
  }

  const isSendable = hasSendable(found)
  const isLeaving = doing === 'leaving'
  const isBusy = doing !== undefined
  const isUnread = 'inPages' in found
  const buttons = (
    <div className="stack">
      {isSendable && (
        <div>
          <OnlineOnlyButton variant="primary" isWide isBusy={doing === 'sending'} isInert={isBusy} onClick={() => onSend()}>
            {t('SendNow')}
          </OnlineOnlyButton>
        </div>
      )}
      {isUnread && (
        <Button variant={isSendable ? 'plain' : 'primary'} isWide isBusy={doing === 'counting'} isInert={isBusy} onClick={onCountAgain}>
          {t('LookAgain')}
        </Button>
      )}
      <Button variant={isSendable || isUnread ? 'plain' : 'primary'} isWide isBusy={isLeaving} isInert={isBusy} onClick={onKeep}>
        {keep}
      </Button>
      {(isUnread || isHere(found)) && (
        <Button isWide variant="quiet" isInert={isBusy} onClick={() => onAskDiscard(true)}>
          {t(discard ? 'Discard' : 'LeaveUnsubmitted')}
        </Button>
      )}
      <Button isWide variant="quiet" isInert={isLeaving} onClick={onClose}>
        {t('StaySignedIn')}
      </Button>
    </div>
  )
  return (
    <Dialog isOpen title={title} isBusy={isBusy} onClose={onClose} actions={buttons}>
      <div className="stack">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {trouble !== undefined && (
          <p role="alert" className="notice notice-wait">
            {trouble === 'more unsent'
              ? t('MoreUnsent')
              : t('SendFailed', { reason: t([`errors:${trouble.notSent}`, 'errors:UNEXPECTED']) })}
          </p>
        )}
      </div>
    </Dialog>
  )
}
