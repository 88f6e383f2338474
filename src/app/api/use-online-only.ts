import { useRef } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { toast } from '#app/ui/feedback/toast.ts'
import { probe, useReachable } from './network.ts'

/**
 * For what only works online (OFFLINE-2): `unavailable` is the reason in words while the API cannot be reached, and
 * `whenReachable(act)` asks again at the tap before it acts or says why not.
 */
export function useOnlineOnly(): { unavailable: string | undefined; whenReachable: (act: () => void) => void } {
  const { t } = useTranslation('ui')
  const isReachable = useReachable()
  const reason = t('OnlineOnlyReason')

  // a second tap in the meantime asks for the same
  const isAsking = useRef(false)

  async function askThen(act: () => void): Promise<void> {
    if (isAsking.current) return
    isAsking.current = true
    const isThere = await probe()
    isAsking.current = false
    if (isThere) act()
    // in sight too: the reason beside the control may be out of it, or only said
    else toast(reason)
  }

  return {
    unavailable: isReachable ? undefined : reason,
    whenReachable: (act) => (isReachable ? act() : void askThen(act)),
  }
}
