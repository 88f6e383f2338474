import { createPort } from '#app/api/port.ts'
import { withTimeout } from '#app/api/with-timeout.ts'
import { PRIVATE_STORE_TIMEOUT_MS } from '#app/constants.ts'

/** What the server has not got yet of the person who wants to leave (SESSION-17). */
export interface Waiting {
  answers: number
  /** how many of them are only in an open page, because the disk did not take them */
  unwritten: number
  /** answers that another device's displaced, and that wait for a choice */
  late: number
  /** assessments whose Submit has not arrived */
  submits: number
  /** a coach's list of players that was not sent to all of them */
  hasDraft: boolean
  /** the code of the refusal because of which some of it is still here, as in `errors.json` */
  refusal: string | undefined
}

/** What sign-out asks of the room that stores a person's work on the device; device/start.ts provides it. */
export interface PrivateStore {
  countWaiting: () => Promise<Waiting>
  /** tries to send it now */
  sendNow: () => Promise<void>
  /**
   * what this person can see on the device goes; what was not sent stays, locked to its owner, if told so
   * @param options `userId`: defaults to the signed-in user; given once their session has ended
   */
  clear: (options: { userId?: string | undefined; keepUnsent: boolean }) => Promise<void>
}

export const privateStorePort = createPort<PrivateStore>()

/** It comes after the first paint: who leaves sooner waits for it. Rejects where it does not come. */
export function privateStore(): Promise<PrivateStore> {
  return withTimeout(privateStorePort.provided, PRIVATE_STORE_TIMEOUT_MS, 'what is on this device cannot be asked for')
}
