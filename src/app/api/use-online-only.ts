import { useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { toast } from '#app/ui/feedback/toast.ts'
import { probe } from './network.ts'
import { useReachable } from './use-network-state.ts'

/**
 * For actions that only work online (OFFLINE-2): `unavailable` is the text to show while the API cannot be reached;
 * `whenReachable(act)`, called on a tap, checks the connection again and then acts, or shows that text as a toast; it does neither
 * once the control is gone, as what was cancelled must not be done. `isAsking` while it checks.
 */
export function useOnlineOnly(): { unavailable: string | undefined; isAsking: boolean; whenReachable: (act: () => void) => void } {
  const { t } = useTranslation('ui')
  const isReachable = useReachable()
  const reason = t('OnlineOnlyReason')

  const [isAsking, setIsAsking] = useState(false)
  // a ref: a second tap during the check is ignored, also before the next render
  const isUnderWay = useRef(false)
  const isGone = useIsGone()

  async function askThen(act: () => void): Promise<void> {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setIsAsking(true)
    const isThere = await probe()
    isUnderWay.current = false
    setIsAsking(false)
    if (isGone.current) return
    if (isThere) act()
    // a toast, as the reason beside the control may be out of view or for screen readers only
    else toast(reason)
  }

  return {
    unavailable: isReachable ? undefined : reason,
    isAsking,
    whenReachable: (act) => (isReachable ? act() : void askThen(act)),
  }
}
