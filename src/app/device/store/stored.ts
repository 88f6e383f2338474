import type { InstanceSummary } from '#contract/instances.ts'
import type { Section } from '#contract/rules/questionnaire.ts'
import type { InstanceRows, LateRow } from '#app/sync/rows.ts'
import type { AnswerRow, FinishStep, OperationRow, ReceiptRow, Trouble } from '#app/sync/sync.ts'

/**
 * What is in the device's database (ANSWERS-1). Every row carries its owner's user id, and every key begins with it,
 * so that nothing of one person is ever read for another (SESSION-21).
 */

/** One player's copy of one instance. */
export interface InstanceKey {
  userId: string
  instanceId: string
}

type Owned<Row> = Row & InstanceKey

/** An instance made ready, without its questions, and where its Submit stands: small, for every sync reads and writes it. */
export interface StoredInstance extends InstanceKey {
  contentVersion: string
  summary: InstanceSummary
  /** languages its questions came here in, for builds that look no further; where they are, the definitions themselves tell */
  languages: string[]
  finish: FinishStep | null
  trouble: Trouble | null
  /** epoch ms: when the server last acknowledged answers; when this was last read from the server */
  savedAt: number | null
  storedAt: number
}

/** The questions of an instance in one language, at the content version the instance is pinned at. ANSWERS-15 */
export interface StoredDefinition extends InstanceKey {
  language: string
  sections: Section[]
}

/** A reply of the API with its date, for reading when the API cannot be reached. OFFLINE-4 */
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

/** All that the device has of one instance, but for its questions. */
export interface InstanceState {
  instance: StoredInstance
  rows: InstanceRows
  /** in which its questions are here */
  languages: string[]
}

/** Tabs tell each other here of taps, which pass Dexie by. */
export const answersChannel = 'touchline-answers'
