import { useId, type ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { PlainTextField } from '#app/ui/form-field.tsx'
import { TEAM_COLUMNS, type TeamChoice, type TeamColumn, type TeamView } from './team-players.ts'

interface Props {
  view: TeamView
  results: readonly TeamChoice[]
  positions: readonly TeamChoice[]
  headings: Record<TeamColumn, string>
  onLook: (change: Partial<TeamView>) => void
  /** what is done with the rows that are left */
  children: ReactNode
}

/** Search, the two filters, and on a phone, where there are no headings to press, the order. §2 */
export function TeamFilters({ view, results, positions, headings, onLook, children }: Props) {
  const { t } = useTranslation('home')
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
        onChange={({ currentTarget }) => onLook({ search: currentTarget.value })}
      />
      <Choice label={t('TeamFilterResult')} value={view.result} options={results} onChoose={(result) => onLook({ result })} />
      <Choice label={t('TeamFilterPosition')} value={view.position} options={positions} onChoose={(position) => onLook({ position })} />
      <div className="team-order">
        <Choice
          label={t('TeamSortBy')}
          value={view.isDescending ? `${view.sort}-desc` : view.sort}
          options={TEAM_COLUMNS.flatMap((column) => [order(column, false), order(column, true)])}
          isWhole
          onChoose={(chosen) => {
            const sort = TEAM_COLUMNS.find((column) => column === chosen.replace('-desc', '')) ?? view.sort
            onLook({ sort, isDescending: chosen.endsWith('-desc') })
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
  options: readonly TeamChoice[]
  /** there is no 'All' beside the options */
  isWhole?: boolean
  onChoose: (value: string) => void
}

function Choice({ label, value, options, isWhole = false, onChoose }: ChoiceProps) {
  const { t } = useTranslation('home')
  const id = useId()
  const isListed = isWhole || value === '' || options.some((option) => option.value === value)
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select id={id} className="input" value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {!isWhole && <option value="">{t('TeamFilterAll')}</option>}
        {/* a shared link may name what no row has */}
        {!isListed && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
