import { createEvent } from '#app/api/events.ts'

/** Chromium's install prompt, held back until somebody asks for it. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>
}

const changed = createEvent()
let offer: InstallOffer | undefined

function keep(next: InstallOffer | undefined): void {
  offer = next
  changed.emit()
}

/** Must run before the browser fires its prompt. Called once, by main. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    keep(event as InstallOffer)
  })
  addEventListener('appinstalled', () => keep(undefined))
}

/** Opened from the home screen; older Safari has a property of its own for that. */
function isInstalled(): boolean {
  return !matchMedia('(display-mode: browser)').matches || ('standalone' in navigator && navigator.standalone === true)
}

/** Safari on an iPhone or iPad has no install prompt; an iPad pretends to be a Mac, but no Mac has a touch screen. */
function isAppleTouch(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  const isTouched = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  // the browsers inside other apps cannot add to the home screen
  return isTouched && userAgent.includes('Safari/')
}

export const install = {
  /** How it is done here: by the browser's prompt, by hand, not at all, or done already. */
  way: (): 'offer' | 'by-hand' | undefined => {
    if (isInstalled()) return undefined
    if (offer !== undefined) return 'offer'
    return isAppleTouch() ? 'by-hand' : undefined
  },
  isOffered: () => offer !== undefined,
  subscribe: changed.subscribe,
  /** A prompt can be used once. */
  async ask(): Promise<void> {
    const taken = offer
    keep(undefined)
    await taken?.prompt()
  },
}
