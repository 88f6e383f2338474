import { createEvent } from '#app/api/events.ts'
import { INSTALL_KEY } from '#app/constants.ts'
import { trySetItem } from '#app/ui/browser/try-set-item.ts'

/** Chromium's install prompt (`beforeinstallprompt`), deferred until somebody asks to install. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>
  userChoice?: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

const changed = createEvent()
let offer: InstallOffer | undefined

function setOffer(next: InstallOffer | undefined): void {
  offer = next
  changed.emit()
}

function note(state: 'due' | 'refused'): void {
  trySetItem(INSTALL_KEY, state)
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

/** Whether to suggest installing, and the browser's own prompt. INSTALL-9 */
export const install = {
  isOffered: () => offer !== undefined,
  subscribe: changed.subscribe,
  /** nothing was suggested or refused on this device yet */
  isNew: () => localStorage.getItem(INSTALL_KEY) === null,
  /** whether a section was saved on this device, and nobody refused since */
  isDue: () => localStorage.getItem(INSTALL_KEY) === 'due',
  /** a section was saved on this device */
  noteSectionSaved(): void {
    if (localStorage.getItem(INSTALL_KEY) === null) note('due')
  },
  /** never suggested again on this device */
  refuse: () => note('refused'),
  /** Shows the browser's prompt, which can be used only once. */
  async prompt(): Promise<void> {
    const taken = offer
    setOffer(undefined)
    await taken?.prompt()
    if ((await taken?.userChoice)?.outcome === 'dismissed') note('refused')
  },
}
