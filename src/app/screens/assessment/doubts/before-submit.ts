import { withTimeout } from '#app/with-timeout.ts'
import { CALL_TIMEOUT_MS } from '#app/constants.ts'
import { loadWordsAhead } from '#app/i18n/i18n.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { loadAnswerDoubts } from '#app/screens/assessment/sending/on-demand.ts'
import { doubtsOf, DOUBTS, isTooFast, sheetOf, type Doubt } from '#contract/rules/answer-doubts.ts'
import type { Section } from '#contract/rules/questionnaire.ts'

// once for each time a questionnaire is opened: nobody has to confirm twice
const shownFor = new WeakSet<Questionnaire>()

export interface Noticed extends Pick<Awaited<ReturnType<typeof loadAnswerDoubts>>, 'AnswerDoubts'> {
  doubts: readonly Doubt[]
}

/**
 * What the player is told before Submit; undefined for nothing, or if the panel cannot be loaded: offline and not stored, or within the
 * time that any call of Submit may take. Never rejects. QUESTIONS-22
 */
export async function beforeSubmit(questionnaire: Questionnaire, sections: readonly Section[]): Promise<Noticed | undefined> {
  if (shownFor.has(questionnaire)) return undefined
  const doubts = findDoubts(questionnaire, sections)
  if (doubts.length === 0) return undefined
  const panel = await withTimeout(loadPanel(), CALL_TIMEOUT_MS, 'slow').catch(() => undefined)
  if (!panel) return undefined
  shownFor.add(questionnaire)
  return { ...panel, doubts }
}

/** Loads the panel and its words ahead, so that Submit need not wait for them on a slow line. Never rejects. */
export async function prepareDoubts(): Promise<void> {
  await loadPanel().catch(() => undefined)
}

async function loadPanel(): Promise<Pick<Noticed, 'AnswerDoubts'>> {
  const [module, areWords] = await Promise.all([loadAnswerDoubts(), loadWordsAhead('doubts')])
  // the page is about to reload for a lost part (shell/reload-for-lost-parts.ts): Submit waits and is pressed again after it
  if (!module || !areWords) return new Promise(() => {})
  return { AnswerDoubts: module.AnswerDoubts }
}

function findDoubts({ answers }: Questionnaire, sections: readonly Section[]): Doubt[] {
  const found = new Set(doubtsOf(sheetOf(sections, answers.snapshot().answers)))
  if (isTooFast(sections, answers.tookMs())) found.add('too-fast')
  return DOUBTS.filter((doubt) => found.has(doubt))
}
