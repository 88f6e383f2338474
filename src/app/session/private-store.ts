import { createPort } from '#app/api/port.ts'
import { withTimeout } from '#app/with-timeout.ts'
import { PRIVATE_STORE_TIMEOUT_MS } from '#app/constants.ts'
import type { Clearing } from './pending-clearing.ts'

/** Data of the person who wants to sign out that the server does not have yet (SESSION-17). */
export interface WaitingCounts {
  /** unsent groups */
  answers: number
  /** how many of them exist only in an open page, because the disk did not take them */
  unwritten: number
  /** late answers, replaced by another device's, that wait for the player's choice */
  late: number
  /** assessments whose Submit has not arrived */
  submits: number
  /** marks on paragraphs of results that were not sent */
  marks: number
  /** how many of them exist only in this page, because the disk did not take them */
  unwrittenMarks: number
  /** the coach's list has players who were not sent an assessment */
  hasDraft: boolean
  /** what was stored was deleted since the page was opened, by the browser or by hand */
  isDeleted: boolean
  /** error code, if the server refused some of it */
  refusal: string | undefined
}

/** What is unsent in open pages alone, of which a device that cannot be read tells nothing. */
export interface InPages {
  answers: number
  marks: number
}

/** Whether sending now would send anything: late answers wait for the player's choice, and a draft for its coach. */
export const canBeSent = ({ answers, submits = 0, marks }: InPages & { submits?: number }): boolean => answers + submits + marks > 0

/** What sign-out needs of `app/device`; device/start.ts provides it. Each method rejects if the device cannot be read or written. */
export interface PrivateStore {
  countWaiting: () => Promise<WaitingCounts>
  /** needs no device that can be read */
  countInPages: () => Promise<InPages>
  /** tries to send it now */
  sendNow: () => Promise<void>
  /**
   * removes the person's data from the device; with `keepUnsent`, unsent answers stay for their owner
   * @returns false if they have signed in again since they signed out: then everything stays
   */
  clear: (clearing: Clearing) => Promise<boolean>
}

export const privateStorePort = createPort<PrivateStore>()

/** The store once it is loaded, which is after the first paint. Rejects after PRIVATE_STORE_TIMEOUT_MS. */
export function privateStore(): Promise<PrivateStore> {
  return withTimeout(
    privateStorePort.provided,
    PRIVATE_STORE_TIMEOUT_MS,
    'the part of the app that stores work on this device was not loaded',
  )
}
