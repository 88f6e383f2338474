import type { WaitingCounts } from '#app/session/private-store.ts'

/** A device on which nothing waits to be sent. */
export const NOTHING_WAITS: WaitingCounts = {
  answers: 0,
  unwritten: 0,
  late: 0,
  submits: 0,
  marks: 0,
  unwrittenMarks: 0,
  hasDraft: false,
  isDeleted: false,
  refusal: undefined,
}
