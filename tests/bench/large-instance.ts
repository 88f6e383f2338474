/** The product with 1,000 items: its own instance reply with more questions of the same three kinds. */
import type { BrowserContext, Page } from 'playwright'
import type { Instance, SaveBody, SaveReply } from '#contract/instances.ts'
import { countItems, itemIdsOf, type Answers, type Question, type Section } from '#contract/rules/questionnaire.ts'
import { receiptOf } from '#contract/rules/receipt.ts'

const ITEMS = 1000

function copyOf(question: Question, copy: number): Question {
  const again = (id: string) => `${id}-copy${copy}`
  return { ...question, id: again(question.id), subQuestions: question.subQuestions.map((sub) => ({ ...sub, id: again(sub.id) })) }
}

/** Makes every section larger by the same factor, up to 1,000 items. */
function enlarged(sections: readonly Section[]): Section[] {
  const factor = ITEMS / countItems(sections)
  return sections.map((section) => {
    const wanted = Math.ceil(section.questions.length * factor)
    const questions = Array.from({ length: wanted }, (_, index) => {
      const question = section.questions[index % section.questions.length]
      if (!question) throw new Error(`${section.name} has no questions`)
      const copy = Math.floor(index / section.questions.length)
      return copy === 0 ? question : copyOf(question, copy)
    })
    return { ...section, questions }
  })
}

/** Replies to the calls for the instance and its saves instead of the API; all other calls go to the server. */
export async function largeInstance(context: BrowserContext, page: Page): Promise<void> {
  let sections: Section[] = []
  let revision = 0
  // without the file of questions, the app reads them from the instance
  await context.route('**/media/content/*', (route) => route.fulfill({ status: 404 }))
  await context.route('**/api/assessment/assessment-instance/*', async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await route.fetch()
    const instance = (await response.json()) as Instance
    sections = enlarged(instance.sections)
    return route.fulfill({ response, json: { ...instance, sections, itemCount: countItems(sections) } })
  })
  await page.route('**/api/assessment/assessment-instance/responses', async (route) => {
    const body = route.request().postDataJSON() as SaveBody
    const questionOf = new Map(
      sections.flatMap(({ questions }) => questions.flatMap((one) => itemIdsOf(one).map((id) => [id, one.id] as const))),
    )
    const groups: Answers = {}
    for (const { id, answer } of body.responses) groups[questionOf.get(id) ?? ''] = { ...groups[questionOf.get(id) ?? ''], [id]: answer }
    revision += 1
    const reply: SaveReply = {
      completionStatus: 'IN_PROGRESS',
      revision,
      ...receiptOf(groups),
      groups: Object.keys(groups).map((questionId) => ({ questionId, revision })),
      superseded: [],
    }
    return route.fulfill({ json: reply })
  })
}
