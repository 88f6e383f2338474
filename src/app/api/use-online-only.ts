import { useTranslation } from 'react-i18next'
import { announce } from '#app/ui/announcer.ts'
import { probe, useReachable } from './network.ts'

/**
 * For what only works online (ruling 23): `unavailable` is the reason in words while the API does not answer, and
 * `whenReachable(act)` asks again at the tap before it acts or says why not.
 */
export function useOnlineOnly(): { unavailable: string | undefined; whenReachable: (act: () => void) => void } {
  const { t } = useTranslation('ui')
  const isReachable = useReachable()
  const reason = t('OnlineOnlyReason')

  async function askThen(act: () => void): Promise<void> {
    if (await probe()) act()
    else announce(reason)
  }

  return {
    unavailable: isReachable ? undefined : reason,
    whenReachable: (act) => (isReachable ? act() : void askThen(act)),
  }
}
