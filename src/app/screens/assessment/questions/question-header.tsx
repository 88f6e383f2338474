import { useState } from 'react'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { emptyGroup, isAnswered, sectionTypeOf, type GroupValue, type Question, type Section } from '#contract/rules/questionnaire.ts'
import { setAutoAdvance, isAutoAdvanceOn } from './auto-advance.ts'
import { filledIn, RANKING_HELP_ID } from '#app/screens/assessment/sections/ranking-taps.ts'
import { useGroup } from '#app/questionnaire/use-questionnaire.ts'

interface QuestionHeaderProps {
  section: Section
  question: Question
  number: number
  answers: ScreenAnswers
  /** the only question on the screen: only then does a choice advance automatically */
  isAlone: boolean
  isFirst: boolean
}

/** Above a question: its number, and Clear or the switch for advancing automatically. */
export function QuestionHeader({ section, question, number, answers, isAlone, isFirst }: QuestionHeaderProps) {
  const { t } = useTranslation('assessment')
  const isRanking = sectionTypeOf(section) === 'likertscale'
  return (
    <div className="question-header">
      <div className="soft small">
        <p>{t('TestQuestion', { number, count: section.questions.length })}</p>
        {isRanking && isFirst && (
          <p id={RANKING_HELP_ID}>
            {t('TestRankingHow')} <span className="for-keys">{t('TestRankingKeys')}</span>
          </p>
        )}
      </div>
      {isRanking ? <ClearRanking section={section} question={question} answers={answers} /> : isAlone && <AutoAdvanceSwitch />}
    </div>
  )
}

/** Clears a ranking group; then it is Undo until another rating is given. */
function ClearRanking({ section, question, answers }: { section: Section; question: Question; answers: ScreenAnswers }) {
  const { t } = useTranslation('assessment')
  const group = useGroup(answers, question)
  const [cleared, setCleared] = useState<{ group: GroupValue; filled: readonly string[] }>()
  const isEmpty = !Object.values(group).some(isAnswered)
  if (!isEmpty && cleared) setCleared(undefined)
  const isUndo = isEmpty && cleared !== undefined

  function clearOrUndo() {
    setCleared(isUndo ? undefined : { group, filled: filledIn(answers, question) })
    announce(t(isUndo ? 'TestClearUndone' : 'TestCleared'))
    if (isUndo) void answers.answer(question, section.name, cleared.group, { filled: cleared.filled })
    else void answers.answer(question, section.name, emptyGroup(question))
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

function AutoAdvanceSwitch() {
  const { t } = useTranslation('assessment')
  const [isOn, setOn] = useState(isAutoAdvanceOn)
  return (
    <label className="question-tool">
      {t('TestMovesOn')}
      <input
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox has its own checked state
        role="switch"
        checked={isOn}
        onChange={({ currentTarget }) => {
          setAutoAdvance(currentTarget.checked)
          setOn(currentTarget.checked)
        }}
      />
    </label>
  )
}
