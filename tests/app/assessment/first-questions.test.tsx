import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Router } from 'wouter'
import { i18n, loadAreas, startI18n } from '#app/i18n/i18n.ts'
import { loadPlainWords } from '#app/i18n/plain-words.ts'
import type { Translation } from '#app/i18n/use-translation.ts'
import { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { footerOf, frameOf, isOfApp, statusOf, tabsOf } from '#app/screens/assessment/first/screen-markup.ts'
import { placeToStart } from '#app/screens/assessment/questions/places.ts'
import { Questions } from '#app/screens/assessment/questions/questions.tsx'
import { FocusLayout } from '#app/shell/focus-layout.tsx'
import { LANGUAGES } from '#contract/languages.ts'
import { itemIdsOf, type GroupValue, type Question, type Section } from '#contract/rules/questionnaire.ts'
import { contentVersions, sectionsOf } from '#server/content/content.ts'
import type { StoredInstance } from '#app/device/store/stored.ts'
import { fakeStorage } from '#tests/support/storage.ts'

/** The page shows the first questions without React (decision 0064): what it shows must be what React then puts in its place. */

const key = { userId: 'u1', instanceId: 'i1' }
const SAVED_AT = Date.parse('2026-11-26T09:30:00')
let isPhone = true

// the server renderer refuses a store without a server snapshot
vi.mock('react', async (original) => {
  const react = await original<typeof import('react')>()
  return { ...react, useSyncExternalStore: (subscribe: never, get: () => unknown) => react.useSyncExternalStore(subscribe, get, get) }
})

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: isPhone, addEventListener: () => undefined, removeEventListener: () => undefined }))
  vi.stubGlobal('localStorage', fakeStorage())
  vi.stubGlobal('sessionStorage', fakeStorage())
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('navigator', { languages: ['en'], onLine: true })
  vi.stubGlobal('BroadcastChannel', SilentChannel)
  await startI18n()
})
afterAll(() => vi.unstubAllGlobals())

class SilentChannel {
  close(): void {}
  postMessage(): void {}
}

/** Each tag with its attributes in one order, classes without double spaces; without what the app alone can do. */
function comparable(html: string): string[] {
  return html
    .replace(/<(\w+)((?:\s[^<>]*?)?)\s*\/?>/g, (_, tag: string, attributes: string) => {
      const named = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(
        ([, name, value = '']) => `${name}="${value.replace(/\s+/g, ' ').trim()}"`,
      )
      return `<${[tag, ...named.filter((one) => one !== 'aria-disabled="true"').toSorted()].join(' ')}>`
    })
    .split(/(?=<)/)
}

function answer(question: Question, section: Section, isWhole: boolean): GroupValue {
  const values =
    question.subQuestions.length > 0 ? ['3', '1', '4', '2'] : [(question.options[0] ?? section.sectionOptions[0])?.value ?? '1']
  return Object.fromEntries(itemIdsOf(question).map((id, index) => [id, isWhole || index === 1 ? (values[index] ?? null) : null]))
}

function withAnswers(sections: readonly Section[], upTo: number, isBegun: boolean, sent: number): ScreenAnswers {
  const all = sections.flatMap((section) => section.questions.map((question) => ({ section, question })))
  const given = all.slice(0, upTo + (isBegun ? 1 : 0))
  const rows = given.map(({ section, question }, index) => ({
    questionId: question.id,
    sectionName: section.name,
    value: answer(question, section, index < upTo),
    edit: `e${index}`,
    base: 0,
  }))
  const answers = new ScreenAnswers(key, { onSaved: () => undefined, sendDirectly: async () => [] })
  const receipts = rows.slice(0, sent).map(({ questionId, edit }) => ({ questionId, edit, revision: 1 }))
  answers.applyRows({ answers: rows, receipts, late: [] })
  answers.close()
  return answers
}

function drawnByReact(sections: readonly Section[], answers: ScreenAnswers, savedAt: number | null): string {
  const instance = {
    ...key,
    contentVersion: '',
    summary: { status: 'IN_PROGRESS' },
    finish: null,
    trouble: null,
    savedAt,
  } as unknown as StoredInstance
  return renderToStaticMarkup(
    <Router ssrPath="/assessment/i1/test">
      <FocusLayout>
        <Questions
          instance={instance}
          sections={sections}
          questionnaire={{ key: { instanceId: 'i1' }, answers } as unknown as Questionnaire}
          isBackFromDetails={false}
        />
      </FocusLayout>
    </Router>,
  )
}

async function plainWords(language: string): Promise<{ t: Translation['t']; shell: Translation['t'] }> {
  const [t, shell] = await Promise.all([loadPlainWords(language, 'assessment'), loadPlainWords(language, 'shell')])
  if (!t || !shell) throw new Error(`there are no words in ${language}`)
  return { t, shell }
}

describe.each(LANGUAGES)('the first questions in %s', (language) => {
  describe.each(contentVersions())('%s', (version) => {
    it.each([
      ['a phone', true],
      ['a wide screen', false],
    ])('are drawn as React draws them on %s, wherever the player is', async (_, isNarrow) => {
      isPhone = isNarrow
      await i18n.changeLanguage(language)
      await loadAreas(['assessment', 'shell', 'ui'])
      const words = await plainWords(language)
      const sections = sectionsOf(version, language)
      const count = sections.reduce((sum, { questions }) => sum + questions.length, 0)
      let compared = 0
      for (let upTo = 0; upTo < count; upTo += 1) {
        const isBegun = upTo % 2 === 1
        const sent = upTo % 3 === 0 ? count : upTo % 3
        const savedAt = upTo === 0 ? null : SAVED_AT
        const answers = withAnswers(sections, upTo, isBegun, sent)
        const snapshot = answers.snapshot()
        const place = placeToStart(sections, snapshot.answers)
        if (isOfApp(sections, place, isPhone)) continue
        const shown = { sections, place, isPhone, answers: snapshot.answers, language, ...words }
        const ours = frameOf(shown, statusOf(words.t, snapshot, savedAt, false)).text
        expect(comparable(ours), `question ${upTo}`).toEqual(comparable(drawnByReact(sections, answers, savedAt)))
        compared += 1
      }
      expect(compared).toBeGreaterThan(isPhone ? count - 2 : 1)
    })
  })
})

describe('a part that only the app can show', () => {
  it('waits for the app: a section of an unknown type, by its tab and by Next, too', async () => {
    const words = await plainWords('en')
    const [first, second, ...others] = sectionsOf(contentVersions().at(-1) ?? '', 'en')
    if (!first || !second) throw new Error('there are no two sections')
    const sections = [first, { ...second, type: 'riddle' }, ...others]
    const place = { section: 0, question: first.questions.length - 1 }
    const shown = { sections, place, isPhone: true, answers: {}, language: 'en', ...words }
    expect(footerOf(shown).map(({ text }) => text.includes('aria-disabled'))).toEqual([false, true])
    expect(tabsOf(shown).map(({ text }) => text.includes('aria-disabled'))).toEqual([false, true, ...others.map(() => false)])
  })

  it('on a wide screen is the whole last section', async () => {
    const words = await plainWords('en')
    const sections = sectionsOf(contentVersions().at(-1) ?? '', 'en')
    const shown = { sections, place: { section: 0, question: 0 }, isPhone: false, answers: {}, language: 'en', ...words }
    const waits = tabsOf(shown).map(({ text }) => text.includes('aria-disabled'))
    expect(waits).toEqual(sections.map((_, index) => index === sections.length - 1))
  })
})
