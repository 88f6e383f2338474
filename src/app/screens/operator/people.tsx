import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { formatDate } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { PlainTextField } from '#app/ui/forms/plain-text-field.tsx'
import { DataTable, TableCell } from '#app/ui/tables/data-table.tsx'
import { Pagination } from '#app/ui/tables/pagination.tsx'
import { PAGE_SIZE } from '#contract/constants.ts'
import { cleanEmail, isEmail } from '#contract/rules/email.ts'
import { isId } from '#contract/rules/ids.ts'
import { usersForOperator, type Account } from '#contract/users.operator.ts'
import { columnsOf } from './columns.ts'
import { ReadPart, type PartProps } from './read-part.tsx'
import { useOperatorRead } from './use-operator-read.ts'

/** Whose account to show; everybody's by default. */
export interface AccountFilter {
  email?: string
  userId?: string
}

interface Props extends PartProps {
  filter: AccountFilter
  onFilter: (filter: AccountFilter) => void
}

/** Accounts, oldest first, or the one of an address or id. What is done to a person is done by the tool, which asks twice. */
export function People({ call, refreshKey, filter, onFilter }: Props) {
  const { t } = useTranslation('operator')
  const [page, setPage] = useState(0)
  // searching for the same again reads it again
  const [searches, setSearches] = useState(0)
  const search = (next: AccountFilter) => {
    setSearches((before) => before + 1)
    onFilter(next)
  }
  const isAll = filter.email === undefined && filter.userId === undefined
  const shown = isAll ? page : 0
  const read = useOperatorRead(refreshKey + searches, `${shown} ${JSON.stringify(filter)}`, (signal) =>
    call(usersForOperator.list, { query: { ...filter, page: shown + 1, limit: PAGE_SIZE } }, { signal }),
  )
  const { data = [], total = 0 } = read.data ?? {}
  return (
    <ReadPart id="people" title={t('PeopleTitle')} read={read} search={<Search filter={filter} onFilter={search} />}>
      <p role="status">{read.isFetching ? t('Reading') : t('PeopleCount', { count: total })}</p>
      <AccountTable accounts={data} />
      <Pagination label={t('PeoplePages')} page={shown} rows={total} onPage={setPage} />
    </ReadPart>
  )
}

function Search({ filter, onFilter }: Pick<Props, 'filter' | 'onFilter'>) {
  const { t } = useTranslation('operator')
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [known, setKnown] = useState(filter)
  if (known !== filter) {
    setKnown(filter)
    setTyped(filter.email ?? filter.userId ?? '')
  }
  const [isInvalid, setIsInvalid] = useState(false)

  function search(event: FormEvent): void {
    event.preventDefault()
    const text = cleanEmail(typed)
    const next = text === '' ? {} : isId(text) ? { userId: text } : { email: text }
    const isValid = next.email === undefined || isEmail(next.email)
    setIsInvalid(!isValid)
    if (isValid) onFilter(next)
  }

  return (
    <form className="stack" role="search" aria-label={t('PeopleSearch')} noValidate onSubmit={search}>
      <PlainTextField
        ref={field}
        label={t('PeopleWanted')}
        error={isInvalid ? t('PeopleWantedInvalid') : undefined}
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setIsInvalid(false)
        }}
      />
      <div className="row">
        <Button type="submit">{t('PeopleFind')}</Button>
        {(filter.email !== undefined || filter.userId !== undefined) && (
          <Button
            variant="quiet"
            onClick={() => {
              onFilter({})
              field.current?.focus()
            }}
          >
            {t('PeopleAll')}
          </Button>
        )}
      </div>
    </form>
  )
}

function AccountTable({ accounts }: { accounts: readonly Account[] }) {
  const { t } = useTranslation('operator')
  const names = {
    email: t('Email'),
    name: t('PersonName'),
    type: t('PersonType'),
    id: t('PersonId'),
    created: t('Created'),
    closed: t('Closed'),
  }
  const columns = columnsOf(names, { email: 186, name: 120, type: 90, id: 166, created: 95, closed: 95 })
  return (
    <DataTable label={t('PeopleTable')} columns={columns} isEmpty={accounts.length === 0}>
      {accounts.map(({ userId, email, firstName, lastName, userTypeCode, createdAt, deactivatedAt }) => (
        <tr key={userId}>
          <th scope="row">{email}</th>
          <TableCell name={names.name}>{[firstName, lastName].filter(Boolean).join(' ') || '-'}</TableCell>
          <TableCell name={names.type}>{t(userTypeCode === 'coach' ? 'Coach' : 'Player')}</TableCell>
          <TableCell name={names.id}>
            <code>{userId}</code>
          </TableCell>
          <TableCell name={names.created}>{formatDate(createdAt)}</TableCell>
          <TableCell name={names.closed}>{formatDate(deactivatedAt)}</TableCell>
        </tr>
      ))}
    </DataTable>
  )
}
