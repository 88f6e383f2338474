/** /invitations/stop: linked from the mails; stops invitations to an address, or allows them again. docs/decisions/0026 */
import { useState } from 'react'
import { isApiError, staysUnknown } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useSend } from '#app/api/use-send.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { PortalLink } from '#app/parts/portal-link.tsx'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { mails } from '#contract/mails.ts'

/** unsure: a reply was lost, so it may be either */
type State = 'asked' | 'stopped' | 'allowed' | 'unsure' | 'unknown'

const TEXT_KEYS = {
  asked: 'StopText',
  stopped: 'StopDone',
  allowed: 'StopUndone',
  unsure: 'StopUnsure',
  unknown: 'StopUnknown',
} as const satisfies Record<State, string>

export default function StopScreen() {
  const { t } = useTranslation('invitations')
  const { send: stop, isSending: isStopping } = useSend(mails.stop)
  const { send: allow, isSending: isAllowing } = useSend(mails.allow)
  const { unavailable, whenReachable } = useOnlineOnly()
  const [token] = useState(() => new URLSearchParams(location.search).get('token') ?? '')
  const [state, setState] = useState<State>(token === '' ? 'unknown' : 'asked')
  const [failure, setFailure] = useState<string>()

  async function act(change: typeof stop | typeof allow): Promise<void> {
    setFailure(undefined)
    try {
      const { isStopped } = await change({ query: { token } })
      setState(isStopped ? 'stopped' : 'allowed')
    } catch (error) {
      if (isApiError(error) && (error.code === 'NOT_FOUND' || error.code === 'INVALID_INPUT')) return setState('unknown')
      setState((before) => (staysUnknown(before === 'unsure', error) ? 'unsure' : before))
      setFailure(messageFor(error))
    }
  }

  return (
    <Page title={t('StopTitle')}>
      <div className="stack">
        <p role="status">{t(TEXT_KEYS[state])}</p>
        {failure && (
          <p role="alert" className="notice notice-wait">
            {failure}
          </p>
        )}
        {(state === 'asked' || state === 'allowed' || state === 'unsure') && (
          <div>
            <Button variant="primary" isBusy={isStopping} unavailable={unavailable} onClick={() => whenReachable(() => void act(stop))}>
              {t('StopConfirm')}
            </Button>
          </div>
        )}
        {(state === 'stopped' || state === 'unsure') && (
          <div>
            <Button isBusy={isAllowing} unavailable={unavailable} onClick={() => whenReachable(() => void act(allow))}>
              {t('StopUndo')}
            </Button>
          </div>
        )}
        <PortalLink />
      </div>
    </Page>
  )
}
