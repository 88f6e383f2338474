import type { GroupValue } from './questionnaire.ts'

/** A group as the server stores it. `revision` counts its accepted values, from 1. */
export interface StoredGroup {
  questionId: string
  value: GroupValue
  revision: number
  /** the device that wrote it; null when the call named none */
  device: string | null
  /** place of this edit in the order of all edits of that device: the higher, the newer; null where the call named none */
  order?: number | null
}

/** A group as one device sends it. `base` is the revision that the edit was made on, 0 if there was none; `order` as in `StoredGroup`. */
interface SentGroup {
  questionId: string
  value: GroupValue
  base: number
  order?: number | null | undefined
}

/** A group as a save stored it, in the log. */
export type LoggedGroup = SentGroup & Pick<StoredGroup, 'revision'>

/** A superseded group, with the value that was current instead. `isOwn`: that is a later edit of the same device. */
export type LateGroup = SentGroup & { current: Pick<StoredGroup, 'revision' | 'value'>; isOwn?: boolean }

/**
 * Whether a sent group loses against the current one (ANSWERS-11): if that came from another device and the sender had not seen it, it
 * stays, and the sent one is only logged. A device's own earlier saves count as seen, and a later edit of it stays (`isEarlierEdit`). A
 * call without a device (ANSWERS-4) always writes.
 */
export function isSuperseded(current: StoredGroup | undefined, sent: SentGroup, device: string | null): boolean {
  if (!current || device === null || sameValue(current.value, sent.value)) return false
  if (current.device === device) return isEarlierEdit(current, sent)
  return sent.base < current.revision
}

/**
 * Whether a device sends an edit that is older than the one it has stored: a save sent directly while the disk is full may arrive after a later one, from
 * another tab too. An edit that was made on the stored revision is newer, whatever its order says. One without an order is older than one with: it is a
 * value of the account that the device took over after it had lost its answers.
 */
function isEarlierEdit(current: StoredGroup, { base, order }: SentGroup): boolean {
  return base < current.revision && current.order != null && (order == null || order < current.order)
}

/** A group of an answers file (decision 0047): `receipt` is the last revision that the device has a receipt of, for this edit or an earlier one. */
interface FileGroup extends SentGroup {
  receipt: number
  isAcknowledged: boolean
}

/**
 * What becomes of a group that an answers file brings. A device's own later saves do not count as seen, as they do in a save: the file
 * may be older. `there`: the account has it, or had it before a newer one.
 * @param known the last revision of the group that a save or an earlier file which this one knows has stored, else 0
 */
export function fateInFile(
  current: StoredGroup | undefined,
  sent: FileGroup,
  device: string,
  known: number,
): 'there' | 'written' | 'superseded' {
  if (sameValue(current?.value ?? {}, sent.value)) return 'there'
  if (!current) return 'written'
  if (current.device === device && isEarlierEdit(current, sent)) return sent.isAcknowledged ? 'there' : 'superseded'
  if (!sent.isAcknowledged) {
    const seen = current.device === device ? Math.max(sent.base, sent.receipt, known) : sent.base
    return seen >= current.revision ? 'written' : 'superseded'
  }
  // acknowledged at this very revision, and yet another value: the server was restored and has counted up again since (ANSWERS-17)
  if (sent.receipt === current.revision) return 'superseded'
  return sent.receipt > current.revision ? 'written' : 'there'
}

/** A missing item equals one that is null. */
export function sameValue(a: GroupValue, b: GroupValue): boolean {
  const isSame = (id: string) => (a[id] ?? null) === (b[id] ?? null)
  return Object.keys(a).every(isSame) && Object.keys(b).every(isSame)
}
