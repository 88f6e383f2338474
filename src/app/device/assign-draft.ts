import type { Language } from '#contract/languages.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { DRAFT_KEY } from './assign-draft-key.ts'
import { mayStore } from './owner.ts'
import { readStored, writeStored } from './store/device-store.ts'

/** The outcome of sending an assessment to one address. A retry has the same operation id, so that nobody gets it twice. */
export interface AssignLine {
  operationId: string
  /** unknown: being sent, or (with a code) its reply was lost · failed: can be retried · refused: the server will not accept it */
  outcome: 'unknown' | 'sent' | 'failed' | 'refused'
  /** of the refusal, or the kind of failure */
  code?: string
  /** epoch ms before which it is not sent again */
  until?: number
  /** epoch ms of the last change */
  at: number
}

/** A list of players who are to get an assessment, with the outcome for each. */
export interface AssignDraft {
  assessmentId: string
  /** as pasted or typed */
  text: string
  /** language of the invitation for players without an account; undefined: the coach's own at sending */
  language: Language | undefined
  /** by `lineKey` */
  lines: Readonly<Record<string, AssignLine>>
}

export function lineKey(assessmentId: string, account: string): string {
  return `${assessmentId} ${account}`
}

/** Whether somebody on the list was not sent the assessment. */
export function hasUnsent({ assessmentId, text, lines }: AssignDraft): boolean {
  return entriesOf(text).some((entry) => lines[lineKey(assessmentId, normalEmail(entry.text))]?.outcome !== 'sent')
}

/** The coach's stored list, if any. It is in the `reads` store; at sign-out the coach is asked about it (SESSION-17, ASSIGN-14). */
export async function readAssignDraft(userId: string): Promise<AssignDraft | undefined> {
  return (await readStored<AssignDraft | null>(userId, DRAFT_KEY))?.value ?? undefined
}

/** Tells other tabs that the list was stored. */
const otherTabs = new BroadcastChannel('touchline-assign-draft')

/** Stores the list, or removes it (undefined). Resolves once it is on the device, so that a line can be stored before it is sent. */
export async function storeAssignDraft(userId: string, draft: AssignDraft | undefined): Promise<void> {
  if (!mayStore(userId)) return
  await writeStored(userId, DRAFT_KEY, draft ?? null, { mayStore: () => mayStore(userId) })
  otherTabs.postMessage('stored')
}

/** Calls the listener when another tab may have stored the list: a tab that was asleep hears of it once it is looked at. */
export function onStoredElsewhere(listener: () => void): () => void {
  const onVisible = () => document.visibilityState === 'visible' && listener()
  otherTabs.addEventListener('message', listener)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    otherTabs.removeEventListener('message', listener)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
