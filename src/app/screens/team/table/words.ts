import { useMemo } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { pascal } from '#app/parts/details/use-lookups.ts'
import type { TableColumn } from '#app/ui/tables/data-table.tsx'
import { statusKey } from '#app/parts/dashboard/status-badge.tsx'
import { byColumn, TEAM_COLUMNS, type TeamColumn, type TeamWords } from '#app/screens/team/team-player.ts'
import { columns } from './columns.tsx'
import { NOT_DELIVERED } from './search.ts'

const TYPES: Partial<Record<string, string>> = { CURRENT: 'TeamTypeCurrent', POTENTIAL: 'TeamTypePotential' }

/** Translations of the API's values; unknown values are shown as they are. */
export function useTeamWords(): TeamWords {
  const { t, i18n } = useTranslation(['team', 'home', 'parts'])
  const language = i18n.language
  return useMemo(() => {
    const known = (key: string) => (i18n.exists(key, { lng: language }) ? t(key) : undefined)
    return {
      language,
      status: (status) => known(status === NOT_DELIVERED ? 'team:TeamNotDelivered' : `home:${statusKey(status, true)}`) ?? status,
      noClearStyle: t('parts:NoClearStyle'),
      betweenStyles: t('team:TeamBetweenStyles'),
      type: (type) => known(`team:${TYPES[type]}`) ?? type,
      // the table's positions, else those of the players' profiles
      position: (position) => known(`team:TeamPosition${pascal(position)}`) ?? known(`parts:Position${pascal(position)}`) ?? position,
    }
  }, [t, i18n, language])
}

/** The headings, and the columns of DataTable; the last is the report's, which cannot be sorted. TEAM-1 */
export function useTeamHeadings() {
  const { t } = useTranslation('team')
  return useMemo(() => {
    const headings = { ...byColumn((column) => t(columns[column].heading)), report: t('TeamColumnReport') }
    const headed: TableColumn<TeamColumn | 'report'>[] = [
      ...TEAM_COLUMNS.map((key) => ({ key, name: headings[key], isSortable: true, width: columns[key].width })),
      { key: 'report', name: headings.report },
    ]
    return { headings, columns: headed }
  }, [t])
}
