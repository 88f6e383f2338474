import { withTimeout } from '#app/api/with-timeout.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { loadAnswerDoubts } from '#app/screens/assessment/sending/on-demand.ts'
import type { Doubt } from '#contract/rules/answer-doubts.ts'
import type { Section } from '#contract/rules/questionnaire.ts'

// a weak line must not hold up Submit; the files are normally on the device
const WAIT_MS = 1000

export interface Noticed extends Pick<Awaited<ReturnType<typeof loadAnswerDoubts>>, 'AnswerDoubts'> {
  doubts: readonly Doubt[]
}

/** What the player is told before Submit; undefined for nothing, or if that cannot be told now. Never rejects. QUESTIONS-22 */
export function beforeSubmit(questionnaire: Questionnaire, sections: readonly Section[]): Promise<Noticed | undefined> {
  return withTimeout(notice(questionnaire, sections), WAIT_MS, 'slow').catch(() => undefined)
}

async function notice(questionnaire: Questionnaire, sections: readonly Section[]): Promise<Noticed | undefined> {
  const { AnswerDoubts, findDoubts } = await loadAnswerDoubts()
  const doubts = await findDoubts(questionnaire, sections)
  return doubts.length > 0 ? { AnswerDoubts, doubts } : undefined
}
