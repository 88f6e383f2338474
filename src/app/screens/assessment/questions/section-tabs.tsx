import type { KeyboardEvent } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import { countRemaining, sectionTypeOf, type Section } from '#contract/rules/questionnaire.ts'
import { useAnswers } from '#app/questionnaire/use-questionnaire.ts'
import { sectionAfterKey } from './places.ts'

interface SectionTabsProps {
  sections: readonly Section[]
  current: number
  answers: ScreenAnswers
  onChoose: (section: number) => void
}

/** Tabs named by section position. QUESTIONS-1 */
export function SectionTabs({ sections, current, answers, onChoose }: SectionTabsProps) {
  const { t } = useTranslation('assessment')
  const { answers: given } = useAnswers(answers)

  function onArrow(event: KeyboardEvent<HTMLDivElement>) {
    const next = sectionAfterKey(event.key, current, sections.length)
    if (next === undefined) return
    event.preventDefault()
    onChoose(next)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }

  return (
    <div className="section-tabs" role="tablist" aria-label={t('TestSections')} onKeyDown={onArrow}>
      {sections.map((section, index) => {
        // a section of an unknown type is never done: nothing in it could be answered
        const isDone = sectionTypeOf(section) !== undefined && countRemaining([section], given) === 0
        return (
          <button
            key={section.name}
            id={`tab-${section.name}`}
            type="button"
            role="tab"
            aria-selected={index === current}
            aria-controls="section-panel"
            tabIndex={index === current ? 0 : -1}
            onClick={() => onChoose(index)}
          >
            {t('TestSection', { number: index + 1 })}
            {isDone && (
              <>
                <span aria-hidden="true" className="section-done" />
                <span className="visually-hidden">{t('TestSectionDone')}</span>
              </>
            )}
          </button>
        )
      })}
    </div>
  )
}
