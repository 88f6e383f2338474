import { PRIVATE_STORE_PATIENCE_MS } from '#app/constants.ts'

/** What the server has not got yet of the person who wants to leave (ruling 6). */
export interface Waiting {
  answers: number
  /** assessments whose Submit has not arrived */
  submits: number
  /** the code of the refusal that keeps some of it here, as in `errors.json` */
  refusal: string | undefined
}

/** The room that keeps a person's work on the device answers sign-out through this port; offline/ fills it. */
export interface PrivateStore {
  countWaiting: () => Promise<Waiting>
  /** tries to send it now */
  sendNow: () => Promise<void>
  /**
   * what this person can see on the device goes; unsent answers stay, locked to their owner, if told so
   * @param options `userId`: of whoever is signed in unless told, as once their session has ended
   */
  clear: (options: { userId?: string | undefined; keepUnsent: boolean }) => Promise<void>
}

let fill: (store: PrivateStore) => void
const filled = new Promise<PrivateStore>((resolve) => {
  fill = resolve
})

export function fillPrivateStore(store: PrivateStore): void {
  fill(store)
}

/** It comes after the first paint: who leaves sooner waits for it. Rejects where it does not come. */
export async function privateStore(): Promise<PrivateStore> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('what is on this device cannot be asked for')), PRIVATE_STORE_PATIENCE_MS)
  })
  return Promise.race([filled, late]).finally(() => clearTimeout(timer))
}
