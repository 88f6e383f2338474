import { useId, type ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { PlainTextField } from '#app/ui/forms/plain-text-field.tsx'
import { formatCount } from '#app/i18n/figures.ts'
import { TEAM_COLUMNS, TEAM_FILTERS, type TeamColumn, type TeamFilter, type TeamView } from '#app/screens/team/team-player.ts'
import type { TeamChoice } from './search.ts'

interface Props {
  view: TeamView
  choices: Record<TeamFilter, readonly TeamChoice[]>
  /** how many players would remain with this choice */
  leaves: (filter: TeamFilter, value: string) => number
  headings: Record<TeamColumn, string>
  onChangeView: (change: Partial<TeamView>) => void
  /** buttons that act on the filtered rows */
  children: ReactNode
}

const LABELS = {
  status: 'TeamColumnStatus',
  result: 'TeamFilterResult',
  position: 'TeamFilterPosition',
  style: 'TeamFilterStyle',
  letters: 'TeamFilterLetters',
} as const satisfies Record<TeamFilter, string>

/** The search, the filters and, on a phone, where the table has no headings to press, the sort order. TEAM-13 */
export function TeamFilters({ view, choices, leaves, headings, onChangeView, children }: Props) {
  const { t } = useTranslation('team')
  const order = (column: TeamColumn, isDescending: boolean) => ({
    value: isDescending ? `${column}-desc` : column,
    label: t(isDescending ? 'TeamSortedDown' : 'TeamSortedUp', { column: headings[column] }),
  })
  return (
    <search className="team-filters">
      <PlainTextField
        label={t('TeamSearch')}
        type="search"
        autoComplete="off"
        enterKeyHint="search"
        value={view.search}
        onChange={({ currentTarget }) => onChangeView({ search: currentTarget.value })}
      />
      {TEAM_FILTERS.map((filter) => (
        <Choice
          key={filter}
          label={t(LABELS[filter])}
          value={view[filter]}
          options={choices[filter].map((choice) => ({ ...choice, count: leaves(filter, choice.value) }))}
          onChoose={(value) => onChangeView({ [filter]: value })}
        />
      ))}
      <div className="team-order">
        <Choice
          label={t('TeamSortBy')}
          value={view.isDescending ? `${view.sort}-desc` : view.sort}
          options={TEAM_COLUMNS.flatMap((column) => [order(column, false), order(column, true)])}
          isRequired
          onChoose={(chosen) => {
            const sort = TEAM_COLUMNS.find((column) => column === chosen.replace('-desc', '')) ?? view.sort
            onChangeView({ sort, isDescending: chosen.endsWith('-desc') })
          }}
        />
      </div>
      {children}
    </search>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly (TeamChoice & { count?: number })[]
  /** no 'All' before the options */
  isRequired?: boolean
  onChoose: (value: string) => void
}

function Choice({ label, value, options, isRequired = false, onChoose }: ChoiceProps) {
  const { t } = useTranslation('team')
  const id = useId()
  const isListed = isRequired || value === '' || options.some((option) => option.value === value)
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select id={id} className="input" value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {!isRequired && <option value="">{t('TeamFilterAll')}</option>}
        {/* a shared link may name a value that no row has */}
        {!isListed && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.count === undefined ? option.label : `${option.label} (${formatCount(option.count)})`}
          </option>
        ))}
      </select>
    </div>
  )
}
