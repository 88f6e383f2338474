/**
 * The questionnaire as HTML, the same that React draws of it (tests/app/assessment/first-questions.test.tsx compares them). What only
 * the app can do is marked `aria-disabled` until it has loaded. docs/decisions/0064-the-first-question-before-react.md
 */
import { isAutoAdvanceOn } from '#app/screens/assessment/questions/auto-advance.ts'
import { placeAfter, placeBefore, screenOf, type Place } from '#app/screens/assessment/questions/places.ts'
import { formatMoment } from '#app/i18n/moments.ts'
import { saveText } from '#app/screens/assessment/sending/save-text.ts'
import { RANKING_HELP_ID } from '#app/screens/assessment/sections/ranking-taps.ts'
import { paths } from '#app/paths.ts'
import type { Translation } from '#app/i18n/use-translation.ts'
import type { ShownAnswers } from '#app/questionnaire/answers.ts'
import { LANGUAGES, rowOf } from '#contract/languages.ts'
import {
  countItems,
  countRemaining,
  firstUnanswered,
  groupOf,
  statementRated,
  isAnswered,
  sectionTypeOf,
  type Answers,
  type GroupValue,
  type Option,
  type Question,
  type Section,
  type SubQuestion,
} from '#contract/rules/questionnaire.ts'
import { markup, type Markup } from './markup.ts'

export interface Shown {
  sections: readonly Section[]
  place: Place
  isPhone: boolean
  answers: Answers
  language: string
  /** texts of the assessment, and of the frame */
  t: Translation['t']
  shell: Translation['t']
}

const none: readonly Markup[] = []
const disabled = markup` disabled=""`
const waitsForApp = markup` aria-disabled="true"`

export function frameOf(shown: Shown, status: Markup): Markup {
  const { shell, language } = shown
  const languages = LANGUAGES.map(
    (one) => markup`<button type="button" lang="${one}" aria-pressed="${one === language}"${waitsForApp}>${rowOf(one).name}</button>`,
  )
  return markup`
    <div class="shell-body">
      <header class="bar">
        <a href="${paths.home()}" class="bar-brand">${brand}${shell('Brand')}</a>
        <div class="languages" role="group" aria-label="${shell('Language')}">${languages}</div>
      </header>
      <div role="status"></div>
      <main id="content">${testOf(shown, status)}</main>
    </div>`
}

/** The app's connection strip, shown while the app itself is slow to load. */
export const stripOf = (shell: Translation['t']): Markup => markup`<p class="strip strip-weak">${shell('WeakConnection')}</p>`

const brand = markup`
  <svg aria-hidden="true" width="28" height="28" viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round">
    <path d="M3 13.5 29 12.5M16 13v16M7 28.5a9 9 0 0 1 18 0"></path>
    <circle cx="16" cy="6" r="3" class="brand-dot"></circle>
  </svg>`

export function testOf(shown: Shown, status: Markup): Markup {
  const { t, sections, place } = shown
  const section = sections[place.section]
  return markup`
    <div class="test">
      <header class="test-head">
        <h1 tabindex="-1" class="test-title">${t('TestTitle')}</h1>
        <div class="section-tabs" role="tablist" aria-label="${t('TestSections')}">${tabsOf(shown)}</div>
        <div class="test-progress">${progressOf(shown)}</div>
        <div class="test-status">${headEndOf(t, status)}</div>
      </header>
      ${section ? panelOf(shown, section) : none}
      <div class="test-footer"><div class="test-footer-row">${footerOf(shown)}</div></div>
    </div>`
}

export function tabsOf({ t, sections, place, answers, isPhone }: Shown): Markup[] {
  const done = markup`<span aria-hidden="true" class="section-done"></span><span class="visually-hidden">${t('TestSectionDone')}</span>`
  return sections.map((section, index) => {
    const isCurrent = index === place.section
    const isDone = sectionTypeOf(section) !== undefined && countRemaining([section], answers) === 0
    const waits = isOfApp(sections, { section: index, question: 0 }, isPhone) ? waitsForApp : none
    return markup`
      <button id="tab-${section.name}" type="button" role="tab" aria-selected="${isCurrent}" aria-controls="section-panel" tabindex="${isCurrent ? 0 : -1}"${waits}>
        ${t('TestSection', { number: index + 1 })}${isDone ? done : none}
      </button>`
  })
}

export function progressOf({ t, sections, answers, isPhone }: Shown): Markup {
  const total = countItems(sections)
  const remaining = countRemaining(sections, answers)
  const unanswered = firstUnanswered(sections, answers)
  const waits = isOfApp(sections, unanswered, isPhone) ? waitsForApp : none
  const left = unanswered
    ? markup`<button type="button" class="text-button test-left"${waits}>${t('TestLeft', { count: remaining })}</button>`
    : markup`<span>${t('TestNothingLeft')}</span>`
  return markup`<progress max="${total}" value="${total - remaining}" aria-label="${t('TestProgress')}"></progress>${left}`
}

/** Why nothing can be answered any more, as React's screens say it. */
export const overOf = ({ t, shell }: Shown, text: string): Markup => markup`
  <div class="page page-text">
    <div class="page-head"><h1 tabindex="-1">${t('TestTitle')}</h1></div>
    <p role="alert">${text}</p>
    <div class="row test-actions"><a href="${paths.home()}" class="button button-primary">${shell('ReturnToDashboard')}</a></div>
  </div>`

/** Where the answers are, and the way out. */
export const headEndOf = (t: Translation['t'], status: Markup): Markup[] => [
  status,
  markup`<button type="button" class="button button-quiet"${waitsForApp}>${t('TestSaveAndExit')}</button>`,
]

/** @param savedAt epoch ms of the server's last acknowledgement */
export function statusOf(
  t: Translation['t'],
  { unsent, hasFailedWrites }: ShownAnswers,
  savedAt: number | null,
  isSending: boolean,
): Markup {
  if (hasFailedWrites)
    return markup`<div class="stack"><p class="save-status save-status-trouble" role="alert">${t('TestNotSavedOnDevice')}</p></div>`
  const className = unsent > 0 ? 'save-status save-status-wait' : 'save-status'
  return markup`<p class="${className}">${saveText(t, formatMoment, { unsent, savedAt, isSending })}</p>`
}

export function panelOf(shown: Shown, section: Section): Markup {
  const { place, isPhone } = shown
  const { from, count } = screenOf(section, place.question, isPhone)
  const questions = section.questions.map((question, index) =>
    index < from || index >= from + count
      ? markup``
      : markup`
        <div id="question-${place.section}-${index}" class="test-question">
          ${headerOf(shown, section, question, index, count === 1, index === from)}
          ${questionOf(shown, section, question)}
        </div>`,
  )
  return markup`<div id="section-panel" role="tabpanel" aria-labelledby="tab-${section.name}" class="test-questions">${questions}</div>`
}

function headerOf({ t, answers }: Shown, section: Section, question: Question, index: number, isAlone: boolean, isFirst: boolean): Markup {
  const isRanking = sectionTypeOf(section) === 'likertscale'
  const help = markup`<p id="${RANKING_HELP_ID}">${t('TestRankingHow')} <span class="for-keys">${t('TestRankingKeys')}</span></p>`
  const isEmpty = !Object.values(groupOf(question, answers)).some(isAnswered)
  const clear = markup`
    <button type="button" class="question-tool"${isEmpty ? disabled : waitsForApp} aria-label="${t('TestClearOf', { question: question.question })}">
      ${t('TestClear')}
    </button>`
  const isOn = isAutoAdvanceOn() ? markup` checked=""` : none
  const movesOn = markup`<label class="question-tool">${t('TestMovesOn')}<input type="checkbox" role="switch"${isOn}/></label>`
  const tool = isRanking ? clear : isAlone ? movesOn : none
  return markup`
    <div class="question-header">
      <div class="soft small">
        <p>${t('TestQuestion', { number: index + 1, count: section.questions.length })}</p>
        ${isRanking && isFirst ? help : none}
      </div>
      ${tool}
    </div>`
}

function questionOf(shown: Shown, section: Section, question: Question): Markup {
  switch (sectionTypeOf(section)) {
    case 'likertscale':
      return rankingOf(shown, section, question)
    case 'ipsative':
      return choiceOf(question, question.options, 'pair')
    case 'likertitem':
      return choiceOf(question, section.sectionOptions, 'agreement')
    case undefined:
      return markup``
  }
}

function choiceOf(question: Question, options: readonly Option[], variant: 'pair' | 'agreement'): Markup {
  const choices = options.map(
    ({ value, label }) =>
      markup`<label class="choice"><input type="radio" name="${question.id}" value="${value}"/><span>${label}</span></label>`,
  )
  return markup`
    <fieldset tabindex="-1" class="question ${variant}">
      <legend>${question.question}</legend>
      <div class="choices">${choices}</div>
    </fieldset>`
}

function rankingOf({ t, answers }: Shown, { sectionOptions }: Section, question: Question): Markup {
  const group = groupOf(question, answers)
  const head = sectionOptions.map(({ label }) => markup`<span>${label}</span>`)
  const statements = question.subQuestions.map((statement) => {
    const ratings = sectionOptions.map((option) => {
      const { takenBy, label } = ratingOf(t, question, group, statement, option)
      return markup`
        <label class="rating">
          <input type="radio"${takenBy === undefined ? none : disabled} aria-label="${label}" name="${statement.id}" value="${option.value}"/>
          <span aria-hidden="true">${option.value}</span>
        </label>`
    })
    return markup`
      <div class="statement" role="radiogroup" aria-labelledby="${statement.id}-text" aria-keyshortcuts="1 2 3 4 Delete">
        <span id="${statement.id}-text" class="statement-text">${statement.question}</span>
        ${ratings}
      </div>`
  })
  return markup`
    <fieldset tabindex="-1" class="question ranking" aria-describedby="${RANKING_HELP_ID}">
      <legend>${question.question}</legend>
      <div class="ranking-head" aria-hidden="true">${head}</div>
      ${statements}
    </fieldset>`
}

/** What one rating says: the statement that has it already, and its name for screen readers. */
export function ratingOf(t: Translation['t'], question: Question, group: GroupValue, statement: SubQuestion, option: Option) {
  const rated = statementRated(group, option.value, statement.id)
  const takenBy = question.subQuestions.find(({ id }) => id === rated)?.question
  const values = { rating: option.value, label: option.label }
  return { takenBy, label: takenBy === undefined ? t('TestRating', values) : t('TestRatingTaken', { ...values, statement: takenBy }) }
}

/** Next, and Back. The last screen, where Submit is, is the app's alone. */
export function footerOf({ t, sections, place, isPhone }: Shown): Markup[] {
  const before = placeBefore(sections, place, isPhone)
  const waits = (to: Place | undefined) => (isOfApp(sections, to, isPhone) ? waitsForApp : none)
  const back = markup`<button type="button" class="button button-plain test-back"${waits(before)}>${t('TestBack')}</button>`
  const next = markup`
    <button type="button" class="button button-primary test-next"${waits(placeAfter(sections, place, isPhone))}>${t('TestNext')}</button>`
  return before ? [back, next] : [next]
}

/** Whether a place is on the last screen or in a section of an unknown type, or there is none. */
export function isOfApp(sections: readonly Section[], place: Place | undefined, isPhone: boolean): boolean {
  const section = place && sections[place.section]
  return !section || sectionTypeOf(section) === undefined || placeAfter(sections, place, isPhone) === undefined
}
