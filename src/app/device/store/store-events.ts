import { createEvent } from '#app/api/events.ts'
import type { InstanceKey } from './stored.ts'

/** Stored data may have been removed: the browser closed the database, or another tab deleted it. */
export const databaseLost = createEvent()

/** What waits to be sent could not be read, of this instance or of all: where that lasts, only an open page can send it. */
export const readFailed = createEvent<InstanceKey | undefined>()

/** An instance was stored that was not on this device before. */
export const instanceStored = createEvent()
