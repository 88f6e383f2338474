import type { Language } from '#contract/languages.ts'
import { entriesOf } from '#contract/rules/address-list.ts'
import { normalEmail } from '#contract/rules/email.ts'
import { DRAFT_KEY } from './assign-draft-key.ts'
import { mayStore } from './owner.ts'
import { readStored, writeStored } from './store/device-store.ts'

/** What is known of one address that was sent: an operation id names one player and one assessment, and a retry sends the same. */
export interface AssignLine {
  operationId: string
  /** unknown: on its way, or (with a code) its reply was lost · failed: worth another try · refused: the server will not take it */
  outcome: 'unknown' | 'sent' | 'failed' | 'refused'
  /** of the refusal, or the kind of failure */
  code?: string
  /** epoch ms: it may go again then */
  until?: number
  /** epoch ms */
  at: number
}

/** A list of players who are to be given an assessment, with what became of each. */
export interface AssignDraft {
  assessmentId: string
  /** as pasted or typed */
  text: string
  /** of the invitation to somebody without an account; undefined: the one the coach reads when it is sent */
  language: Language | undefined
  /** by `lineKey` */
  lines: Readonly<Record<string, AssignLine>>
}

export function lineKey(assessmentId: string, account: string): string {
  return `${assessmentId} ${account}`
}

/** Somebody on it was not sent the assessment. */
export function isUnsent({ assessmentId, text, lines }: AssignDraft): boolean {
  return entriesOf(text).some((entry) => lines[lineKey(assessmentId, normalEmail(entry.text))]?.outcome !== 'sent')
}

/** Stored with the coach's other reads, by user id; at sign-out the coach is asked about it (SESSION-17, ASSIGN-14). */
export async function readAssignDraft(userId: string): Promise<AssignDraft | undefined> {
  return (await readStored<AssignDraft | null>(userId, DRAFT_KEY))?.value ?? undefined
}

/** Resolves once it is on the device: a line is stored before it is sent. */
export async function storeAssignDraft(userId: string, draft: AssignDraft | undefined): Promise<void> {
  if (mayStore(userId)) await writeStored(userId, DRAFT_KEY, draft ?? null)
}
