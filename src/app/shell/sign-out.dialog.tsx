import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { paths } from '#app/paths.ts'
import { countUnsent, sendUnsent } from '#app/session/private-stores.ts'
import { signOut } from '#app/session/sign-out.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm.dialog.tsx'
import { Dialog } from '#app/ui/dialog.tsx'

type Doing = 'counting' | 'sending' | 'leaving' | undefined

/** Signs out at once when nothing waits; else says how many answers do and what can be done with them (ruling 6). */
export function SignOutDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell')
  const [, navigate] = useLocation()
  const [unsent, setUnsent] = useState(0)
  const [doing, setDoing] = useState<Doing>()
  const [isDiscarding, setIsDiscarding] = useState(false)

  async function leave(keepUnsent: boolean): Promise<void> {
    setDoing('leaving')
    await signOut({ keepUnsent })
    navigate(paths.login(), { replace: true })
  }

  async function sendThenLeave(): Promise<void> {
    setDoing('sending')
    const left = await sendUnsent().catch(() => unsent)
    if (left === 0) return leave(true)
    setUnsent(left)
    setDoing(undefined)
  }

  useEffect(() => {
    if (!isOpen) return
    setDoing('counting')
    setIsDiscarding(false)
    void (async () => {
      // A store that cannot say may hold something: kept, not asked about.
      const count = await countUnsent().catch(() => 0)
      if (count === 0) return leave(true)
      setUnsent(count)
      setDoing(undefined)
    })()
    // Opening is what starts it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isOpen])

  if (isDiscarding) {
    return (
      <ConfirmDialog
        isOpen={isOpen}
        title={t('DiscardTitle', { count: unsent })}
        confirmLabel={t('DiscardAndSignOut')}
        isDestructive
        isBusy={doing === 'leaving'}
        onConfirm={() => void leave(false)}
        onClose={() => setIsDiscarding(false)}
      >
        {t('DiscardText')}
      </ConfirmDialog>
    )
  }

  const isBusy = doing !== undefined
  const ways = (
    <div className="stack">
      <div>
        <OnlineOnlyButton look="primary" isWide isBusy={doing === 'sending'} onClick={() => void sendThenLeave()}>
          {t('SendNow')}
        </OnlineOnlyButton>
      </div>
      <Button isWide isBusy={doing === 'leaving'} onClick={() => void leave(true)}>
        {t('KeepAndSignOut')}
      </Button>
      <Button isWide look="quiet" onClick={() => setIsDiscarding(true)}>
        {t('Discard')}
      </Button>
      <Button isWide look="quiet" onClick={onClose}>
        {t('StaySignedIn')}
      </Button>
    </div>
  )
  return (
    <Dialog isOpen={isOpen && unsent > 0} title={t('UnsentTitle', { count: unsent })} isBusy={isBusy} onClose={onClose} actions={ways}>
      {t('UnsentText')}
    </Dialog>
  )
}
