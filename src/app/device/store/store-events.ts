import { createEvent } from '#app/api/events.ts'

/** What happens to the device's database, whichever way it is reached. */

/** What was on the disk may have been removed: the browser closed the database by itself, or another tab deleted it. */
export const databaseLost = createEvent()

/** An instance has come to this device that was not here. */
export const instanceStored = createEvent()
