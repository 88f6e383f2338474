import { createEvent } from '#app/api/events.ts'

/** Chromium's install prompt (`beforeinstallprompt`), deferred until somebody asks to install. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>
}

const changed = createEvent()
let offer: InstallOffer | undefined

function setOffer(next: InstallOffer | undefined): void {
  offer = next
  changed.emit()
}

/** Called once, by main.tsx, before the browser fires `beforeinstallprompt`. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    setOffer(event as InstallOffer)
  })
  addEventListener('appinstalled', () => setOffer(undefined))
}

/** Opened from the home screen. Older Safari reports it only by `navigator.standalone`. */
function isInstalled(): boolean {
  return !matchMedia('(display-mode: browser)').matches || ('standalone' in navigator && navigator.standalone === true)
}

/** Safari on an iPhone or iPad, which has no install prompt. An iPad claims to be a Mac, but no Mac has a touch screen. */
function isIosSafari(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  // browsers embedded in other apps cannot add to the home screen
  return isIos && userAgent.includes('Safari/')
}

export const install = {
  /** How to install on this device: by the browser's prompt or by hand. undefined: not possible, or installed already. */
  way: (): 'offer' | 'by-hand' | undefined => {
    if (isInstalled()) return undefined
    if (offer !== undefined) return 'offer'
    return isIosSafari() ? 'by-hand' : undefined
  },
  isOffered: () => offer !== undefined,
  subscribe: changed.subscribe,
  /** Shows the browser's prompt, which can be used only once. */
  async ask(): Promise<void> {
    const taken = offer
    setOffer(undefined)
    await taken?.prompt()
  },
}
