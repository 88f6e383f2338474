import { privateStorePort } from '#app/session/private-store.ts'
import { session } from '#app/session/session.ts'
import { watchStillTooOld } from '#app/session/still-too-old.ts'
import { sendNow, startOutbox } from './sending/outbox.ts'
import { startBadge } from './badge.ts'
import { clearDevice, clearPending } from './clear.ts'
import { checkLeftAccounts, watchLeftAccounts } from './left-accounts.ts'
import { notePresentSessions } from './present-session.ts'
import { startPreparing } from './readiness/prepare.ts'
import { startReadsCopy } from './reads-copy.ts'
import { requestPersistenceAfterFirstAnswer } from './readiness/storage-grant.ts'
import { waitingOf } from './waiting.ts'
import { savesDeviceId } from './store/device-store.ts'
import { watchTroubleEnd } from './sending/trouble-end.ts'
import { countInPages, sendUnwritten, shareUnwritten, watchUnwrittenElsewhere } from './sending/unwritten-in-tabs.ts'

/** Called once by main, after the first paint: IndexedDB is not needed to sign in. */
export function startOffline(): void {
  const owner = () => session.get().user?.id
  privateStorePort.provide({
    countWaiting: async () => waitingOf(owner()),
    countInPages: async () => countInPages(owner()),
    sendNow: async () => {
      const userId = owner()
      await Promise.all([sendNow(), userId === undefined ? undefined : sendUnwritten(userId)])
    },
    clear: clearDevice,
  })
  // so that this page notices if the database is deleted while it is open
  void savesDeviceId()
  shareUnwritten()
  watchUnwrittenElsewhere(owner)
  startOutbox()
  watchTroubleEnd()
  watchStillTooOld()
  const clear = () =>
    void clearPending()
      .catch((error: unknown) => console.warn('Not everything could be cleared', error))
      .then(checkLeftAccounts)
  session.subscribe(clear)
  clear()
  notePresentSessions()
  watchLeftAccounts()
  startReadsCopy()
  startPreparing()
  requestPersistenceAfterFirstAnswer()
  startBadge()
}
