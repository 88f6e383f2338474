import { useState } from 'react'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { announce } from '#app/ui/announcer.ts'
import { emptyGroup, isAnswered, sectionTypeOf, type GroupValue, type Question, type Section } from '#contract/rules/questionnaire.ts'
import { rememberMovesOn, movesOn } from './auto-advance.ts'
import { useGroup } from '#app/questionnaire/use-answers.ts'

/** Id of the line that says how a ranking is done: above the first group of a screen, and the description of each. */
export const RANKING_HOW = 'ranking-how'

interface QuestionTopProps {
  section: Section
  question: Question
  number: number
  answers: ScreenAnswers
  /** one question a screen: the only place where a choice leads on by itself */
  isAlone: boolean
  isFirst: boolean
}

/** Above a question: which it is, and what one can do with it besides answering. */
export function QuestionTop({ section, question, number, answers, isAlone, isFirst }: QuestionTopProps) {
  const { t } = useTranslation('assessment')
  const isRanking = sectionTypeOf(section) === 'likertscale'
  return (
    <div className="question-top">
      <div className="soft small">
        <p>{t('TestQuestion', { number, count: section.questions.length })}</p>
        {isRanking && isFirst && (
          <p id={RANKING_HOW}>
            {t('TestRankingHow')} <span className="for-keys">{t('TestRankingKeys')}</span>
          </p>
        )}
      </div>
      {isRanking ? <ClearRanking section={section} question={question} answers={answers} /> : isAlone && <MovesOnSwitch />}
    </div>
  )
}

/** Empties a ranking group, and brings back what was there until another rating is given. */
function ClearRanking({ section, question, answers }: { section: Section; question: Question; answers: ScreenAnswers }) {
  const { t } = useTranslation('assessment')
  const group = useGroup(answers, question)
  const [cleared, setCleared] = useState<GroupValue>()
  const isEmpty = !Object.values(group).some(isAnswered)
  if (!isEmpty && cleared) setCleared(undefined)
  const isUndo = isEmpty && cleared !== undefined

  function clearOrUndo() {
    setCleared(isUndo ? undefined : group)
    announce(t(isUndo ? 'TestClearUndone' : 'TestCleared'))
    void answers.answer(question, section.name, isUndo ? cleared : emptyGroup(question))
  }

  return (
    <button
      type="button"
      className="question-tool"
      disabled={isEmpty && !isUndo}
      aria-label={t(isUndo ? 'TestClearUndoOf' : 'TestClearOf', { question: question.question })}
      onClick={clearOrUndo}
    >
      {t(isUndo ? 'TestClearUndo' : 'TestClear')}
    </button>
  )
}

function MovesOnSwitch() {
  const { t } = useTranslation('assessment')
  const [isOn, setOn] = useState(movesOn)
  return (
    <label className="question-tool">
      {t('TestMovesOn')}
      <input
        type="checkbox"
        // eslint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox has its state
        role="switch"
        checked={isOn}
        onChange={({ currentTarget }) => {
          rememberMovesOn(currentTarget.checked)
          setOn(currentTarget.checked)
        }}
      />
    </label>
  )
}
