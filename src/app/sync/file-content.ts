import { KNOWN_MAXIMUM, type FileContent } from '#contract/rules/answers-file.ts'
import type { DeviceState } from './sync.ts'

/** What a file of answers says of the device that makes it. */
interface FileIdentity {
  id: string
  deviceId: string
  /** ids of earlier files of this instance, and of saves sent without the disk, the oldest first */
  known: readonly string[]
}

/**
 * The content of an answers file (decision 0047): every group that was answered on this device. What the device knows to be
 * written of its own is in the rows and in `known`, so that an older file never replaces a newer answer.
 */
export function fileContentOf(
  { answers, receipts, operation }: Pick<DeviceState, 'answers' | 'receipts' | 'operation'>,
  { id, deviceId, known }: FileIdentity,
): FileContent {
  const receiptOf = new Map(receipts.map((receipt) => [receipt.questionId, receipt]))
  const rows = answers
    .filter(({ isCopy }) => !isCopy)
    .map(({ questionId, sectionName, value, edit, base, order }) => {
      const receipt = receiptOf.get(questionId)
      const last = { receipt: receipt?.revision ?? 0, isAcknowledged: receipt?.edit === edit }
      return { questionId, sectionName, value, base, ...last, ...(order !== undefined && { order }) }
    })
  return { id, device: deviceId, rows, known: withKnownId(known, operation?.id), saving: operation?.id ?? null }
}

/** The ids with one more, the oldest dropped. */
export function withKnownId(known: readonly string[], id: string | undefined): string[] {
  return [...new Set([...known, ...(id === undefined ? [] : [id])])].slice(-KNOWN_MAXIMUM)
}
