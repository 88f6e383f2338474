import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { lastContact, onContact } from '#app/api/last-contact.ts'
import type { NetworkState } from '#app/api/network.ts'
import { useIsReplaced, useNetworkState } from '#app/api/use-network-state.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { loadStorageGrant } from '#app/device/lazy.ts'
import type { StorageGrant } from '#app/device/readiness/storage-grant.ts'
import { countUsableShell, mayHaveWorker, type ShellFiles } from '#app/device/readiness/shell-files.ts'
import { hasUnwritten, onUnwritten } from '#app/device/sending/unwritten.ts'
import { sendTrouble, type TroubleCause } from '#app/device/sending/send-trouble.ts'
import type { DeviceStatus } from '#app/device/status.ts'
import { useOnDevice } from '#app/device/use-on-device.ts'
import { privateStore, type WaitingCounts } from '#app/session/private-store.ts'

/** What is known of this device, for the screen and for the text for support. */
export interface DeviceFacts {
  network: NetworkState
  /** something replies in the server's place, even to the health check */
  isReplaced: boolean
  /** epoch ms of the server's last reply */
  contact: number | undefined
  /** epoch ms since when the server can be reached but takes no answers */
  troubleSince: number | undefined
  /** of the last failed save, even if it is not shown yet */
  troubleCause: TroubleCause | undefined
  /** epoch ms of the next try, if the server said how long to wait */
  retryBy: number | undefined
  /** the server no longer serves this version of the app */
  isTooOld: boolean
  statuses: readonly DeviceStatus[]
  /** undefined while counting; null if the device cannot be read */
  waiting: WaitingCounts | null | undefined
  /** the device's storage has not replied for a while */
  isSlow: boolean
  /** undefined while counting; `unseen` while no worker says; null where there can be none, as on plain http */
  shell: ShellFiles | 'unseen' | null | undefined
  /** something exists only in an open page, this or another, because the disk did not take it */
  hasUnwritten: boolean
  /** undefined until the browser was asked */
  /** null: the database cannot be read, so the browser will not be asked either */
  grant: StorageGrant | null | undefined
  /** counts again, and reads the state of the device again */
  refresh: () => Promise<void>
}

export function useDeviceFacts(userId: string | undefined): DeviceFacts {
  const { statuses } = useOnDevice(userId)
  // counted again whenever something was stored or sent
  const seen = JSON.stringify(statuses.map(({ unsent, unwritten, late, finish, savedAt }) => [unsent, unwritten, late, finish, savedAt]))
  const waiting = useQuery({
    queryKey: ['Device', 'waiting', userId, seen],
    queryFn: countWaiting,
    retry: false,
    // marks and a coach's list are sent without a change of those; and the database may only have been slow for a moment
    refetchInterval: REFRESH_EVERY_MS,
    placeholderData: (last, query) => (query?.queryKey[2] === userId ? last : undefined),
  })
  const stored = useQuery({ queryKey: ['Device', 'storage'], queryFn: readStorage, retry: false, refetchInterval: REFRESH_EVERY_MS })
  return {
    network: useNetworkState(),
    isReplaced: useIsReplaced(),
    contact: useSyncExternalStore(onContact, lastContact),
    troubleSince: useSyncExternalStore(sendTrouble.subscribe, sendTrouble.since),
    troubleCause: useSyncExternalStore(sendTrouble.subscribe, sendTrouble.cause),
    retryBy: useSyncExternalStore(sendTrouble.subscribe, sendTrouble.retryBy),
    isTooOld: useSyncExternalStore(updateRequired.subscribe, updateRequired.get),
    statuses,
    // after a failure a query without data counts as pending while it is asked again
    waiting: waiting.isError || (waiting.data === undefined && waiting.errorUpdateCount > 0) ? null : waiting.data,
    isSlow: useIsLate(waiting.isPending),
    shell: stored.isError ? null : stored.data?.shell,
    grant: stored.data?.grant,
    hasUnwritten: useSyncExternalStore(onUnwritten, hasUnwritten),
    refresh: async () => {
      await Promise.all([waiting.refetch(), stored.refetch()])
    },
  }
}

const REFRESH_EVERY_MS = 5000
const SLOW_AFTER_MS = 1000

/** Whether something has been pending for a while. */
function useIsLate(isPending: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => setLate(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isPending])
  return isLate
}

async function countWaiting(): Promise<WaitingCounts> {
  return (await privateStore()).countWaiting()
}

async function readShell(): Promise<DeviceFacts['shell']> {
  return (await countUsableShell()) ?? ((await mayHaveWorker()) ? 'unseen' : null)
}

async function readStorage() {
  const [shell, grant] = await Promise.all([
    'serviceWorker' in navigator ? readShell() : null,
    // even if the database cannot be read, the app's files can be counted
    loadStorageGrant()
      .then(({ storageGrant }) => storageGrant())
      .catch(() => null),
  ])
  return { shell, grant }
}
