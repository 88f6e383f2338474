import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatCount } from '#app/i18n/figures.ts'
import { formatDate } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { TeamColumn, TeamPlayer } from '#app/screens/team/team-player.ts'
import { paperOf } from './columns.tsx'
import { countPlayers } from './players.ts'

interface Props {
  /** the rows of all pages, in order */
  team: readonly TeamPlayer[]
  headings: Record<TeamColumn, string>
}

const COLUMNS = ['player', 'team', 'position', 'type', 'status', 'date', 'result'] as const satisfies readonly TeamColumn[]

/** The printed team: every filtered row, without controls, in place of the dashboard. Rendered only while printing. */
export function TeamSheet({ team, headings }: Props) {
  const { t } = useTranslation('team')
  const printedAt = usePrintedAt()
  if (printedAt === undefined) return null
  return (
    <section className="team-sheet">
      <p>{t('TeamSheetOf', { day: formatDate(printedAt), players: formatCount(countPlayers(team)) })}</p>
      <p>{t('TeamLimits')}</p>
      <table>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {headings[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {team.map((player) => (
            <tr key={player.instance.instanceId}>
              {COLUMNS.map((column) => (
                <td key={column}>{paperOf(player, column)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Epoch ms when printing began; undefined while nothing is printed. */
function usePrintedAt(): number | undefined {
  const [printedAt, setPrintedAt] = useState<number>()
  useEffect(() => {
    // flushSync: the browser does not wait for React
    const before = () => flushSync(() => setPrintedAt(Date.now()))
    const after = () => setPrintedAt(undefined)
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [])
  return printedAt
}
