import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useLocation } from 'wouter'
import { network } from '#app/api/network.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { paths } from '#app/paths.ts'
import { privateStore, type Waiting } from '#app/session/private-store.ts'
import { signOut } from '#app/session/sign-out.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm.dialog.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

const nothing: Waiting = { answers: 0, submits: 0, refusal: undefined }
const isNothing = ({ answers, submits }: Waiting) => answers + submits === 0

type Doing = 'counting' | 'sending' | 'leaving' | undefined

const countWaiting = async () => (await privateStore()).countWaiting()
const sendNow = async () => (await privateStore()).sendNow()

/** Signs out at once when nothing waits; else says how many answers and Submits do and what can be done with them (ruling 6). */
export function SignOutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [, navigate] = useLocation()
  const [waiting, setWaiting] = useState(nothing)
  const [failure, setFailure] = useState<string>()
  const [doing, setDoing] = useState<Doing>()

  async function leave(keepUnsent: boolean): Promise<void> {
    setDoing('leaving')
    await signOut({ keepUnsent })
    navigate(paths.login(), { replace: true })
  }

  async function sendThenLeave(): Promise<void> {
    setDoing('sending')
    setFailure(undefined)
    const left = await sendNow()
      .then(countWaiting)
      .catch((error: unknown) => {
        console.error('What waits could not be sent', error)
        return waiting
      })
    if (isNothing(left)) return leave(true)
    setWaiting(left)
    setFailure(left.refusal ?? (network.isReachable() ? 'UNAVAILABLE' : 'FETCH_ERROR'))
    setDoing(undefined)
  }

  useEffect(() => {
    if (!isOpen) return
    setDoing('counting')
    setFailure(undefined)
    void (async () => {
      // A store that cannot say may hold something: kept, not asked about.
      const found = await countWaiting().catch(() => nothing)
      if (isNothing(found)) return leave(true)
      setWaiting(found)
      setDoing(undefined)
    })()
    // Opening is what starts it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isOpen])

  if (!isOpen) return null
  if (isNothing(waiting)) return <Leaving />
  return (
    <Suspense fallback={null}>
      <WaitingDialog
        waiting={waiting}
        failure={failure}
        doing={doing}
        onSend={() => void sendThenLeave()}
        onLeave={(keepUnsent) => void leave(keepUnsent)}
        onClose={onClose}
      />
    </Suspense>
  )
}

/** While what waits is counted, which the rest of the app may have to come for, and while the server is told. */
function Leaving() {
  const { t } = useTranslation('shell')
  return (
    <div className="leaving" role="status">
      <span className="spinner" />
      {t('SigningOut')}
    </div>
  )
}

interface WaitingProps {
  waiting: Waiting
  /** code of what kept it from being sent a moment ago */
  failure: string | undefined
  doing: Doing
  onSend: () => void
  onLeave: (keepUnsent: boolean) => void
  onClose: () => void
}

/** Its words come with it: most people leave without them. */
function WaitingDialog({ waiting, failure, doing, onSend, onLeave, onClose }: WaitingProps) {
  const { t } = useTranslation(['leaving', 'errors'])
  const [isDiscarding, setIsDiscarding] = useState(false)
  const { answers, submits } = waiting
  const hasAnswers = answers > 0

  if (isDiscarding) {
    return (
      <ConfirmDialog
        isOpen
        title={hasAnswers ? t('DiscardTitle', { count: answers }) : t('LeaveUnsubmittedTitle')}
        confirmLabel={t(hasAnswers ? 'DiscardAndSignOut' : 'LeaveUnsubmitted')}
        isDestructive={hasAnswers}
        isBusy={doing === 'leaving'}
        onConfirm={() => onLeave(false)}
        onClose={() => setIsDiscarding(false)}
      >
        {t(hasAnswers ? 'DiscardText' : 'LeaveUnsubmittedText')}
      </ConfirmDialog>
    )
  }

  const isBusy = doing !== undefined
  const ways = (
    <div className="stack">
      <div>
        <OnlineOnlyButton look="primary" isWide isBusy={doing === 'sending'} onClick={() => onSend()}>
          {t('SendNow')}
        </OnlineOnlyButton>
      </div>
      <Button isWide isBusy={doing === 'leaving'} onClick={() => onLeave(true)}>
        {t('KeepAndSignOut')}
      </Button>
      <Button isWide look="quiet" onClick={() => setIsDiscarding(true)}>
        {t(hasAnswers ? 'Discard' : 'LeaveUnsubmitted')}
      </Button>
      <Button isWide look="quiet" onClick={onClose}>
        {t('StaySignedIn')}
      </Button>
    </div>
  )
  return (
    <Dialog
      isOpen
      title={hasAnswers ? t('UnsentTitle', { count: answers }) : t('UnsentSubmitTitle', { count: submits })}
      isBusy={isBusy}
      onClose={onClose}
      actions={ways}
    >
      <div className="stack">
        <p>{t(hasAnswers ? 'UnsentText' : 'UnsentSubmitText')}</p>
        {hasAnswers && submits > 0 && <p>{t('UnsentSubmitToo', { count: submits })}</p>}
        {failure !== undefined && (
          <p role="alert" className="notice notice-wait">
            {t('SendFailed', { reason: t([`errors:${failure}`, 'errors:UNEXPECTED']) })}
          </p>
        )}
      </div>
    </Dialog>
  )
}
