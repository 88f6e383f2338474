import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import { localDay } from '#app/i18n/times.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { probe } from '#app/api/network.ts'
import { formatCount } from '#app/i18n/figures.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { whenIdle } from '#app/ui/browser/after-paint.ts'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'
import { DataTable, type TableSort } from '#app/ui/tables/data-table.tsx'
import { download } from '#app/ui/browser/download.ts'
import { nearestPage, Pagination, rowsOf } from '#app/ui/tables/pagination.tsx'
import { toast } from '#app/ui/feedback/toast.ts'
import { useSettledAnnouncement } from '#app/ui/feedback/use-settled-announcement.ts'
import { useTopOfPage } from '#app/ui/tables/use-top-of-page.ts'
import { TextButton } from '#app/ui/forms/text-button.tsx'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import { PLAYER_TYPES, TABLE_POSITIONS } from '#contract/constants.ts'
import { TEAM_COLUMNS, TEAM_FILTERS, type TeamColumn, type TeamFilter, type TeamPlayer } from '#app/screens/team/team-player.ts'
import { teamChoices } from './cells.tsx'
import { teamCsv } from './csv.ts'
import { useTeamEdits, type TeamChange, type TeamEditing } from './edits.ts'
import { exampleTeam } from './examples.ts'
import { TeamFilters } from './filters.tsx'
import { countPlayers, rowKeys, sorted, stableRows, teamDescriber } from './players.ts'
import { choicesOf, leavesBy } from './search.ts'
import { TeamRow } from './row.tsx'
import { TeamSheet } from './sheet.tsx'
import { useTeamPlace } from './view.ts'
import { useTeamHeadings, useTeamWords } from './words.ts'

const NO_FILTERS = { search: '', status: '', result: '', position: '', style: '', letters: '' }
const noInstances: readonly AllocatedInstance[] = []

interface TableProps {
  /** undefined until loaded, or if examples are shown */
  instances: readonly AllocatedInstance[] | undefined
  readAt: number
  isExample: boolean
}

/** The team table with its search, filters, printed sheet and pages. */
export function TeamTable({ instances, readAt, isExample }: TableProps) {
  const { t } = useTranslation(['team', 'ui'])
  const words = useTeamWords()
  const { columns, headings } = useTeamHeadings()
  const { view, page, setPage, changeView } = useTeamPlace()
  const examples = useMemo(() => {
    const nameOf = (number: number) => t('TeamExampleName', { number })
    return isExample ? exampleTeam({ nameOf, result: t('TeamExampleResult'), report: t('TeamExampleReport') }) : noInstances
  }, [isExample, t])
  const { rows, edit } = useTeamEdits(instances ?? examples, readAt, words)
  const describe = useMemo(() => teamDescriber(words), [words])
  const team = useMemo(() => describe(rows), [describe, rows])
  usePresorting(team, words.language)
  const [rowsFor] = useState(stableRows)
  const found = useMemo(() => rowsFor(team, view, page, words.language), [rowsFor, team, view, page, words])
  const filters = useMemo(() => {
    const of = (filter: TeamFilter) => choicesOf(team, filter, words.language)
    return { status: of('status'), result: of('result'), position: of('position'), style: of('style'), letters: of('letters') }
  }, [team, words])
  const choices = useMemo(
    () => ({ types: teamChoices(PLAYER_TYPES, words.type), positions: teamChoices(['', ...TABLE_POSITIONS], words.position) }),
    [words],
  )
  const [{ keysFor, noteFocus }] = useState(rowKeys)
  const onPage = rowsOf(found, nearestPage(page, found.length))
  const keys = keysFor(onPage)
  // the rows do not wait for these counts, which an open list shows
  const countedView = useDeferredValue(view)
  const leaves = useMemo(() => leavesBy(team, countedView), [team, countedView])
  const hasSeveralAssessments = useMemo(() => new Set(rows.map(({ assessmentId }) => assessmentId)).size > 1, [rows])
  // players, not rows: one may have several assessments
  const shown = useMemo(() => countPlayers(found), [found])
  const total = useMemo(() => countPlayers(team), [team])
  const { reasonId, reason, editing } = useEditing(edit)
  const top = useTopOfPage(page)
  const region = useRef<HTMLDivElement>(null)
  useKeepFocus(region, region)
  const isNarrowed = view.search !== '' || TEAM_FILTERS.some((filter) => view[filter] !== '')

  const save = () => {
    const text = teamCsv(found, { ...headings, result: t('TeamResultInFile', { result: headings.result }) }, words.language)
    download(new File([text], t('TeamFile', { day: localDay(Date.now()) }), { type: 'text/csv;charset=utf-8' }))
  }
  const announceOrder = useSettledAnnouncement(t(view.isDescending ? 'TeamSortedDown' : 'TeamSortedUp', { column: headings[view.sort] }))
  const sortBy = ({ column, isDescending }: TableSort) => {
    changeView({ sort: TEAM_COLUMNS.find((one) => one === column) ?? view.sort, isDescending })
    announceOrder()
  }
  const isLoading = instances === undefined && !isExample
  return (
    <>
      <TeamFilters view={view} choices={filters} leaves={leaves} headings={headings} onChangeView={changeView}>
        <Button
          onClick={save}
          unavailable={isLoading ? t('ui:Loading') : isExample ? t('TeamNothingToSave') : undefined}
          isReasonShown={false}
        >
          {t('TeamSaveFile')}
        </Button>
        <Button onClick={() => window.print()} unavailable={isLoading ? t('ui:Loading') : undefined} isReasonShown={false}>
          {t('TeamPrint')}
        </Button>
      </TeamFilters>
      <div className="team-count" ref={top}>
        <p role="status">{isLoading ? '' : t('TeamCount', { shown: formatCount(shown), total: formatCount(total), count: total })}</p>
        {isNarrowed && <TextButton onClick={() => changeView(NO_FILTERS)}>{t('TeamShowAll')}</TextButton>}
        {reason && !isExample && (
          <p id={reasonId} className="soft">
            {reason}
          </p>
        )}
      </div>
      <div className="team-rows">
        <DataTable
          ref={region}
          label={t('TeamTable')}
          columns={columns}
          sort={{ column: view.sort, isDescending: view.isDescending }}
          onSort={sortBy}
          isLoading={isLoading}
          isEmpty={found.length === 0}
        >
          {onPage.map((player, place) => (
            <TeamRow
              key={keys[place]}
              player={player}
              words={words}
              headings={headings}
              choices={choices}
              hasSeveralAssessments={hasSeveralAssessments}
              editing={isExample ? undefined : editing}
              onFocus={noteFocus}
            />
          ))}
        </DataTable>
      </div>
      {!isLoading && <TeamSheet team={found} headings={headings} />}
      <Pagination label={t('TeamPages')} page={page} rows={found.length} onPage={setPage} />
    </>
  )
}

/** Editing needs the API (docs/decisions/0020). Offline the cells give the reason, and an attempt to edit checks the connection again. */
function useEditing(edit: (instanceId: string, change: TeamChange) => Promise<void>) {
  const { t } = useTranslation('team')
  const { unavailable } = useOnlineOnly()
  const reasonId = useId()
  const reason = unavailable && t('TeamEditNeedsConnection')
  const editing = useMemo<TeamEditing>(() => {
    const ifReachable = async (act: () => void) => ((await probe()) ? act() : toast(reason ?? ''))
    return {
      reasonId: reason && reasonId,
      save: (instanceId, change) => void (reason ? ifReachable(() => void edit(instanceId, change)) : edit(instanceId, change)),
      ask: () => void ifReachable(() => undefined),
    }
  }, [reason, reasonId, edit])
  return { reasonId, reason, editing }
}

/** Sorts the team by every column in idle time, one at a time, so that pressing a heading finds the order in the cache. */
function usePresorting(team: readonly TeamPlayer[], language: string) {
  useEffect(() => {
    let waiting: readonly TeamColumn[] = TEAM_COLUMNS
    const next = () => {
      const [sort, ...others] = waiting
      if (!sort) return
      sorted(team, { sort, isDescending: false }, language)
      waiting = others
      whenIdle(next)
    }
    whenIdle(next)
    return () => {
      waiting = []
    }
  }, [team, language])
}
