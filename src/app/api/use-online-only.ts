import { useRef } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { toast } from '#app/ui/feedback/toast.ts'
import { probe } from './network.ts'
import { useReachable } from './use-network-state.ts'

/**
 * For actions that only work online (OFFLINE-2): `unavailable` is the text to show while the API cannot be reached;
 * `whenReachable(act)`, called on a tap, checks the connection again and then acts, or shows that text as a toast.
 */
export function useOnlineOnly(): { unavailable: string | undefined; whenReachable: (act: () => void) => void } {
  const { t } = useTranslation('ui')
  const isReachable = useReachable()
  const reason = t('OnlineOnlyReason')

  // a second tap during the check is ignored
  const isAsking = useRef(false)

  async function askThen(act: () => void): Promise<void> {
    if (isAsking.current) return
    isAsking.current = true
    const isThere = await probe()
    isAsking.current = false
    if (isThere) act()
    // a toast, as the reason beside the control may be out of view or for screen readers only
    else toast(reason)
  }

  return {
    unavailable: isReachable ? undefined : reason,
    whenReachable: (act) => (isReachable ? act() : void askThen(act)),
  }
}
