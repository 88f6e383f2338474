import type { InstanceSummary } from '#contract/instances.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import type { InstanceRows, LateRow } from '#app/sync/rows.ts'
import type { AnswerRow, FinishStep, OperationRow, ReceiptRow, Trouble } from '#app/sync/sync.ts'

/**
 * Key of one player's copy of one instance. Every row of the database (ANSWERS-1) has its owner's user id, and every key begins
 * with it, so that one person's data is never read for another (SESSION-21).
 */
export interface InstanceKey {
  userId: string
  instanceId: string
}

/** The key as one string, for a `Map`. */
export const textOfKey = ({ userId, instanceId }: InstanceKey): string => `${userId} ${instanceId}`

export function isSameInstance(one: InstanceKey, other: InstanceKey): boolean {
  return one.userId === other.userId && one.instanceId === other.instanceId
}

type Owned<Row> = Row & InstanceKey

/** An instance without its questions, and its Submit's step. Small, as every sync reads and writes it. */
export interface StoredInstance extends InstanceKey {
  contentVersion: string
  summary: InstanceSummary
  /** languages in which the questions were stored; read by older builds only, `languagesOf` reads the definitions instead */
  languages: string[]
  finish: FinishStep | null
  trouble: Trouble | null
  /** epoch ms of the server's last acknowledgement */
  savedAt: number | null
  /** epoch ms at which what was last read of it was requested */
  storedAt: number
  /** the assessment's name by language, in those it was read in since this was stored too */
  names?: Record<string, string> | undefined
  /** seals files of answers (docs/decisions/0047); missing in rows of older builds */
  fileSeal?: string | undefined
  /** ids of the files that were made here, and of saves under way then */
  files?: string[] | undefined
}

/** The device's state when an instance was requested from the server. */
export interface StateBeforeFetch {
  /** epoch ms */
  at: number
  /** it had ended here already, so a reply in which it is open comes from a server restored from a backup */
  hadEnded: boolean
  /** the instance's revision on this device, 0 if it was not stored; undefined if that could not be read */
  revision?: number | undefined
}

/** The questions of an instance in one language, at the content version that the instance is pinned to. ANSWERS-15 */
export interface StoredDefinition extends InstanceKey {
  language: string
  sections: Section[]
}

/** A reply of the API with its date, shown while the API cannot be reached. OFFLINE-4 */
export interface Dated<T> {
  value: T
  /** epoch ms of the reply: shown as "as of" */
  at: number
}

export interface StoredRead extends Dated<unknown> {
  userId: string
  key: string
}

/** An instance as the questionnaire shows it. */
export interface ReadyInstance {
  instance: StoredInstance
  sections: Section[]
  /** of the sections */
  language: string
}

export type StoredAnswer = Owned<AnswerRow>
export type StoredReceipt = Owned<ReceiptRow>
export type StoredOperation = Owned<OperationRow>
export type StoredLate = Owned<LateRow>

/** Everything stored of one instance except its questions. */
export interface InstanceState {
  instance: StoredInstance
  rows: InstanceRows
  /** in which its questions are stored */
  languages: string[]
}

/** `InstanceState` of an instance that may not be stored itself. */
export interface LocalState extends Omit<InstanceState, 'instance'> {
  key: InstanceKey
  /** undefined if the disk refused or lost it, and has answers of it */
  instance: StoredInstance | undefined
  /** of the instance, or why the server does not give one that is not stored */
  trouble: Trouble | null
}

/** BroadcastChannel on which tabs announce taps: these bypass Dexie, so its live queries do not see them. Messages: `AnswersMessage`. */
export const answersChannel = 'touchline-answers'

/** Rows of the instance are to be read again. */
export interface AnswersMessage extends InstanceKey {
  /** answers that the disk refused: every tab that shows the instance keeps the newest of each question */
  unwritten?: AnswerRow[]
  /** edits that the player discarded: no tab may go on showing them */
  discarded?: readonly string[]
  /** the instance was completed without the disk: no tab has anything left to write */
  isCompleted?: boolean
}
