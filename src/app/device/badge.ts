import { session } from '#app/session/session.ts'
import { onSynced } from './sending/sync-events.ts'
import { waitingAnswersOf } from './waiting.ts'

/**
 * The number on the app's icon: the groups and Submits that the server does not have. Counted when the app goes to the background or
 * comes back, and after each sending; not at a tap, when nobody sees the icon. INSTALL-8
 */
export function startBadge(): void {
  // older browsers have none
  if (!('setAppBadge' in navigator)) return
  let latest = 0
  const update = async () => {
    const sequence = (latest += 1)
    const userId = session.get().user?.id
    const count = userId === undefined ? 0 : await waitingAnswersOf(userId).then(({ answers, submits }) => answers + submits)
    // a sign-out meanwhile has removed the badge
    if (sequence === latest) await navigator.setAppBadge(count)
  }
  // fails if the device cannot be read, or iOS may not show badges
  const tryToUpdate = () => void update().catch((error: unknown) => console.warn('The badge was not updated', error))
  document.addEventListener('visibilitychange', tryToUpdate)
  onSynced(tryToUpdate)
  session.subscribe(tryToUpdate)
  tryToUpdate()
}
