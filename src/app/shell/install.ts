import { happening } from '#app/api/happening.ts'

/** Chromium's offer to install: kept until somebody asks for it. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>
}

const changed = happening()
let offer: InstallOffer | undefined

function keep(next: InstallOffer | undefined): void {
  offer = next
  changed.tell()
}

/** Must run before the browser makes its offer. Called once, by main. */
export function watchInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    keep(event as InstallOffer)
  })
  addEventListener('appinstalled', () => keep(undefined))
}

export const install = {
  isOffered: () => offer !== undefined,
  subscribe: changed.subscribe,
  /** An offer can be taken up once. */
  async ask(): Promise<void> {
    const taken = offer
    keep(undefined)
    await taken?.prompt()
  },
}
