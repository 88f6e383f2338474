import { Dexie, type Table } from 'dexie'
import type { InstanceSummary } from '#contract/instances.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import type { AnswerRow, FinishStep, OperationRow, ReceiptRow, Trouble } from './sync.ts'
import type { LateRow } from './rows.ts'

/**
 * A player's work on this device (design.md 5): every row carries its owner's user id, and every key begins with it,
 * so that nothing of one person is ever read for another (ruling 21).
 */

type Owned<Row> = Row & { userId: string; instanceId: string }

/** An instance made ready: its definition pinned at its content version, per language, and where its Submit stands. */
export interface StoredInstance {
  userId: string
  instanceId: string
  contentVersion: string
  summary: InstanceSummary
  definitions: Partial<Record<string, Section[]>>
  finish: FinishStep | null
  trouble: Trouble | null
  /** epoch ms: when the server last acknowledged answers; when this was last read from the server */
  savedAt: number | null
  storedAt: number
}

/** A dated answer of the API, for reading when it cannot be reached. Ruling 19 */
export interface StoredRead {
  userId: string
  key: string
  value: unknown
  at: number
}

export type StoredAnswer = Owned<AnswerRow>
export type StoredReceipt = Owned<ReceiptRow>
export type StoredOperation = Owned<OperationRow>
export type StoredLate = Owned<LateRow>

class DeviceDatabase extends Dexie {
  declare instances: Table<StoredInstance, [string, string]>
  declare answers: Table<StoredAnswer, [string, string, string]>
  declare receipts: Table<StoredReceipt, [string, string, string]>
  declare late: Table<StoredLate, [string, string, string]>
  declare operations: Table<StoredOperation, [string, string]>
  declare reads: Table<StoredRead, [string, string]>
  declare device: Table<{ key: string; value: string }, string>

  constructor() {
    // strict: a committed answer is on the disk, not in a buffer
    super('touchline', { chromeTransactionDurability: 'strict' })
    this.version(1).stores({
      instances: '[userId+instanceId]',
      answers: '[userId+instanceId+questionId]',
      receipts: '[userId+instanceId+questionId]',
      late: '[userId+instanceId+questionId]',
      operations: '[userId+instanceId]',
      reads: '[userId+key]',
      device: 'key',
    })
  }
}

export const db = new DeviceDatabase()

/** Browsers close or hang databases (iOS above all): longer than this is "not saved". */
const PATIENCE = 3000

/** One piece of work on the database: reopened once if the browser closed it, given up after 3 s. */
export async function onDevice<T>(work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the device database does not answer')), PATIENCE)
  })
  try {
    return await Promise.race([attempt(work), late])
  } finally {
    clearTimeout(timer)
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isClosed(error)) throw error
    db.close({ disableAutoOpen: false })
    await db.open()
    return work()
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && ['DatabaseClosedError', 'InvalidStateError', 'UnknownError'].includes(error.name)
}

let unstoredDeviceId: string | undefined

/** This device's id, made once; answers name it so that a device's own earlier saves count as seen. */
export function deviceId(): Promise<string> {
  // a device that keeps nothing is the same one for as long as its page is open
  return onDevice(storedDeviceId).catch(newDeviceId)
}

function newDeviceId(): string {
  unstoredDeviceId ??= crypto.randomUUID()
  return unstoredDeviceId
}

async function storedDeviceId(): Promise<string> {
  return db.transaction('rw', db.device, async () => {
    const known = await db.device.get('id')
    if (known) return known.value
    const value = newDeviceId()
    await db.device.add({ key: 'id', value })
    return value
  })
}
