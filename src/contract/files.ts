import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { FILE_MAXIMUM } from './rules/answers-file.ts'

/** Files of answers that a person brings back (decision 0047). */
export const files = {
  /**
   * Stores the answers of a file in the account it was made for, whoever brings it: its seal is the proof. Repeating it is harmless.
   * Replies with counts of questions and nothing else. 409 ALREADY_COMPLETED, INSTANCE_RECLAIMED and CONTENT_VERSION_MISMATCH as for
   * a save; 429 with Retry-After after 120 files in an hour from one address.
   */
  bring: endpoint({
    method: 'POST',
    path: 'assessment/answers-file',
    access: 'anyone',
    body: z.strictObject({ file: z.string().check(z.maxLength(FILE_MAXIMUM)) }),
    reply: z.object({
      /** the account did not have them */
      stored: z.int(),
      /** the account has them, or had them before it got newer ones */
      there: z.int(),
      /** changed elsewhere since: those stay, and the file's go to the log */
      elsewhere: z.int(),
      /** the questionnaire does not have these questions or choices */
      refused: z.int(),
    }),
    errors: [
      'NOT_AN_ANSWERS_FILE',
      'ANSWERS_FILE_DAMAGED',
      'ANSWERS_FILE_ELSEWHERE',
      'ANSWERS_FILE_UNKNOWN',
      'ALREADY_COMPLETED',
      'INSTANCE_RECLAIMED',
      'CONTENT_VERSION_MISMATCH',
    ],
    summary: 'Restore answers from a file (idempotent)',
  }),
}
