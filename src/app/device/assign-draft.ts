import type { Language } from '#contract/languages.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { DRAFT_KEY } from './assign-draft-key.ts'
import { mayStore } from './owner.ts'
import { changeStored, readStored } from './store/device-store.ts'

/** The outcome of sending an assessment to one address. A retry has the same operation id, so that nobody gets it twice. */
export interface AssignLine {
  operationId: string
  /** unknown: being sent, or it is not known what became of it · failed: can be retried · refused: the server will not accept it */
  outcome: 'unknown' | 'sent' | 'failed' | 'refused'
  /** the failure, as a key of `errors.json` */
  code?: string
  /** epoch ms by the server's clock before which it is not sent again */
  until?: number
  /** epoch ms of the last change */
  at: number
  /** epoch ms of the first read of the tokens that shows what became of it: `at` may be of a clock that was set back since */
  readAt?: number
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

export const NO_DRAFT: AssignDraft = { assessmentId: '', text: '', language: undefined, lines: {} }

export function lineKey(assessmentId: string, account: string): string {
  return `${assessmentId} ${account}`
}

/** Whether somebody on the list was not sent the assessment. */
export function hasUnsent({ assessmentId, text, lines }: AssignDraft): boolean {
  return entriesOf(text).some((entry) => lines[lineKey(assessmentId, normalEmail(entry.text))]?.outcome !== 'sent')
}

/** The coach's stored list. It is in the `reads` store; at sign-out the coach is asked about it (SESSION-17, ASSIGN-14). */
export async function readAssignDraft(userId: string): Promise<AssignDraft> {
  return (await readStored<AssignDraft | null>(userId, DRAFT_KEY))?.value ?? NO_DRAFT
}

/** What happened in another tab: the list was stored, or is being sent; or lines have an outcome that its disk did not take. */
type Told = 'stored' | 'sending' | { userId: string; lines: AssignDraft['lines'] }

const otherTabs = new BroadcastChannel('touchline-assign-draft')
const tell = (told: Told) => otherTabs.postMessage(told)

/**
 * Changes the stored list; another tab may have changed another part of it. Resolves once it is on the device, so that a line can be stored
 * before it is sent.
 */
export async function changeAssignDraft(userId: string, change: (stored: AssignDraft) => AssignDraft): Promise<void> {
  if (!mayStore(userId)) return
  const changed = (value: unknown) => {
    // as it was stored here
    const draft = change((value as AssignDraft | null | undefined) ?? NO_DRAFT)
    const isEmpty = draft.text.trim() === '' && Object.keys(draft.lines).length === 0
    return isEmpty && draft.assessmentId === '' && draft.language === undefined ? null : draft
  }
  await changeStored(userId, DRAFT_KEY, changed, () => mayStore(userId))
  tell('stored')
}

/** Tells other tabs that the list is being sent, which a full disk would not. */
export const announceSending = () => tell('sending')

/** Tells other tabs the outcomes that the disk did not take: they would send those lines again. */
export const announceLines = (userId: string, lines: AssignDraft['lines']) => tell({ userId, lines })

interface Elsewhere {
  /** another tab may have stored the list, or has begun to send it; a tab that was asleep hears of it once it is looked at */
  onStored: () => void
  /** another tab of this user has outcomes that it could not store */
  onLines: (lines: AssignDraft['lines']) => void
}

/** @returns stops listening */
export function listenToOtherTabs(userId: string, { onStored, onLines }: Elsewhere): () => void {
  const onVisible = () => document.visibilityState === 'visible' && onStored()
  const onTold = ({ data }: MessageEvent<Told>) => {
    if (typeof data === 'string') onStored()
    else if (data.userId === userId) onLines(data.lines)
  }
  otherTabs.addEventListener('message', onTold)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    otherTabs.removeEventListener('message', onTold)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
