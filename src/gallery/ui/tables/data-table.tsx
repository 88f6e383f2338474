import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { DataTable, TableCell, type TableColumn, type TableSort } from '#app/ui/tables/data-table.tsx'
import { LONG_EMAIL, LONG_NAME, SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

interface Props {
  people?: readonly (readonly [name: string, email: string])[]
  isLoading?: boolean
}

function People({ people = [], isLoading = false }: Props) {
  const { t } = useTranslation('details')
  const [sort, setSort] = useState<TableSort>({ column: 'name', isDescending: false })
  const columns: TableColumn[] = [
    { key: 'name', name: t('FirstName'), isSortable: true },
    { key: 'email', name: t('Email'), width: 280 },
  ]
  return (
    <DataTable
      label={t('PersonalInformation')}
      columns={columns}
      sort={sort}
      onSort={setSort}
      isLoading={isLoading}
      isEmpty={people.length === 0}
    >
      {people.map(([name, email]) => (
        <tr key={email}>
          <th scope="row">{name}</th>
          <TableCell name={t('Email')}>{email}</TableCell>
        </tr>
      ))}
    </DataTable>
  )
}

export const states: States = {
  Default: () => <People people={[[SOMEBODY.firstName ?? '', SOMEBODY.email]]} />,
  Loading: () => <People isLoading />,
  Empty: () => <People />,
  LongWords: () => <People people={[[LONG_NAME, LONG_EMAIL]]} />,
}
