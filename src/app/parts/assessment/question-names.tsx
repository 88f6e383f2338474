import { useTranslation } from '#app/i18n/use-translation.ts'
import type { Section } from '#contract/rules/questionnaire.ts'

/** Lists questions by section and number, so that the player can find them. */
export function QuestionNames({ sections, ids }: { sections: readonly Section[]; ids: readonly string[] }) {
  const { t } = useTranslation('parts')
  const listed = new Set(ids)
  return (
    <ul>
      {sections.flatMap((section, s) =>
        section.questions.map(
          ({ id, question }, q) => listed.has(id) && <li key={id}>{t('QuestionName', { section: s + 1, number: q + 1, question })}</li>,
        ),
      )}
    </ul>
  )
}
