import { definitionOf } from '#server/content/content.ts'
import { score } from '#server/instances/scoring.ts'
import { Questionnaire, type Strengths } from './players.ts'
import { Random } from './random.ts'

const PEOPLE = 20_000
const PLAYERS_EACH = 1000

/** How many people, of 1, are noticed as not having read, by their answers alone. SCORING-14 */
export function noticed(contentVersion: string, strengths: Strengths, seed: number): number {
  const random = new Random(seed)
  let count = 0
  for (let done = 0; done < PEOPLE; done += PLAYERS_EACH) {
    const questionnaire = new Questionnaire(definitionOf(contentVersion), strengths, random)
    for (let player = 0; player < PLAYERS_EACH; player += 1) {
      const answers = questionnaire.answersOf(questionnaire.fillIn(questionnaire.player(), 0))
      if (score(contentVersion, answers).doubts.length > 0) count += 1
    }
  }
  return count / PEOPLE
}
