import { useMemo } from 'react'
import { COLUMN_PX } from '#app/constants.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { pascal } from '#app/parts/use-lookups.ts'
import type { TableColumn } from '#app/ui/data-table.tsx'
import { statusKey } from '#app/parts/dashboard/status-badge.tsx'
import { TEAM_COLUMNS, type TeamColumn, type TeamWords } from './players.ts'
import { NOT_DELIVERED } from './search.ts'

const TYPES: Partial<Record<string, string>> = { CURRENT: 'TeamTypeCurrent', POTENTIAL: 'TeamTypePotential' }

/** What the API says in English, in the reader's language; what the words do not know stays as it comes. */
export function useTeamWords(): TeamWords {
  const { t, i18n } = useTranslation(['home', 'parts'])
  const language = i18n.language
  return useMemo(() => {
    const known = (key: string) => (i18n.exists(key, { lng: language }) ? t(key) : undefined)
    return {
      language,
      status: (status) => known(`home:${status === NOT_DELIVERED ? 'TeamNotDelivered' : statusKey(status, true)}`) ?? status,
      type: (type) => known(`home:${TYPES[type]}`) ?? type,
      // the table's own, else one that the player gave in the profile
      position: (position) => known(`home:TeamPosition${pascal(position)}`) ?? known(`parts:Position${pascal(position)}`) ?? position,
    }
  }, [t, i18n, language])
}

// names, addresses and some languages' words for a position are longer than the rest; together as wide as the widest page
const WIDTHS: Partial<Record<TeamColumn, number>> = { player: 220, email: 210, position: 190 }

/** The columns exactly, in their order. TEAM-1 */
export function useTeamColumns() {
  const { t } = useTranslation('home')
  return useMemo(() => {
    const headings: Record<TeamColumn | 'report', string> = {
      player: t('TeamColumnPlayer'),
      email: t('TeamColumnEmail'),
      status: t('TeamColumnStatus'),
      date: t('TeamColumnDate'),
      team: t('TeamColumnTeam'),
      type: t('TeamColumnType'),
      position: t('TeamColumnPosition'),
      result: t('TeamColumnResult'),
      report: t('TeamColumnReport'),
    }
    const columns: TableColumn<TeamColumn | 'report'>[] = [
      ...TEAM_COLUMNS.map((key) => ({ key, name: headings[key], isSortable: true, width: WIDTHS[key] ?? COLUMN_PX })),
      { key: 'report', name: headings.report },
    ]
    return { headings, columns }
  }, [t])
}
