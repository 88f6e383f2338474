import { call } from '#app/api/call.ts'
import { instances } from '#contract/instances.ts'
import { isWholePdf } from '#contract/rules/whole-pdf.ts'
import { mayStoreReads } from './owner.ts'
import { readStored, writeStored } from './store/device-store.ts'

/** The player's own report as a PDF on this device. RESULTS-17 */
export interface DeviceReport {
  content: Uint8Array<ArrayBuffer>
  /** epoch ms of the download */
  at: number
  /** false: the device had no room, so it is there until the page is closed */
  isStored: boolean
}

const keyOf = (instanceId: string, language: string) => `report/${instanceId}/${language}`

/** Downloads the report and stores it for reading offline. Rejects with `ApiError`, also if it is incomplete: then the previous one stays. */
export async function fetchReport(userId: string, instanceId: string, language: string): Promise<DeviceReport> {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const content = await call(instances.report, { params: { instanceId }, query: { timeZone } }, { language, userId })
  return { content, at: Date.now(), isStored: await store(userId, keyOf(instanceId, language), content) }
}

async function store(userId: string, key: string, content: Uint8Array): Promise<boolean> {
  if (!mayStoreReads(userId)) return false
  try {
    await writeStored(userId, key, content, { mayStore: () => mayStoreReads(userId) })
    return true
  } catch (error) {
    console.warn('The report could not be stored on this device', error)
    return false
  }
}

/** The report stored in this language; null if there is none. */
export async function storedReport(userId: string, instanceId: string, language: string): Promise<DeviceReport | null> {
  const stored = await readStored<unknown>(userId, keyOf(instanceId, language))
  if (!(stored?.value instanceof Uint8Array) || !isWholePdf(stored.value)) return null
  return { content: new Uint8Array(stored.value), at: stored.at, isStored: true }
}
