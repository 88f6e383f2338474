/** What happens when the installed app is opened again while it runs: the manifest's `launch_handler` brings its window to the front. INSTALL-7 */
import { navigate } from 'wouter/use-browser-location'
import { paths } from '#app/paths.ts'

/** Chromium's. https://wicg.github.io/web-app-launch/ */
interface LaunchQueue {
  setConsumer: (consumer: (launch: { targetURL?: string | null }) => void) => void
}

/** Opens the screen of a shortcut or a link. The icon changes nothing: a person in a questionnaire stays there. */
export function followLaunches(): void {
  if (!('launchQueue' in globalThis)) return
  const { launchQueue } = globalThis as unknown as { launchQueue: LaunchQueue }
  // the launch that loaded this page waits in the queue and is delivered at once; its screen is open already
  let isOpening = true
  launchQueue.setConsumer(({ targetURL }) => {
    if (!isOpening && targetURL) follow(new URL(targetURL))
  })
  isOpening = false
}

function follow({ origin, pathname, search }: URL): void {
  if (origin === location.origin && pathname !== paths.home()) navigate(pathname + search)
}
