import { createEvent } from '#app/api/events.ts'

/** Chromium's offer to install: kept until somebody asks for it. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>
}

const changed = createEvent()
let offer: InstallOffer | undefined

function keep(next: InstallOffer | undefined): void {
  offer = next
  changed.emit()
}

/** Must run before the browser makes its offer. Called once, by main. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    keep(event as InstallOffer)
  })
  addEventListener('appinstalled', () => keep(undefined))
}

/** Opened from the home screen; older Safari says so in its own way. */
function isInstalled(): boolean {
  return !matchMedia('(display-mode: browser)').matches || ('standalone' in navigator && navigator.standalone === true)
}

/** Safari on an iPhone or iPad offers nothing by itself; an iPad gives itself out as a Mac, and no Mac is touched. */
function isAppleTouch(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  const isTouched = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  // the browsers inside of other apps cannot add to the home screen
  return isTouched && userAgent.includes('Safari/')
}

export const install = {
  /** How it is done here: by the browser's own offer, by hand, or not at all, or already. */
  way: (): 'offer' | 'by-hand' | undefined => {
    if (isInstalled()) return undefined
    if (offer !== undefined) return 'offer'
    return isAppleTouch() ? 'by-hand' : undefined
  },
  isOffered: () => offer !== undefined,
  subscribe: changed.subscribe,
  /** An offer can be taken up once. */
  async ask(): Promise<void> {
    const taken = offer
    keep(undefined)
    await taken?.prompt()
  },
}
