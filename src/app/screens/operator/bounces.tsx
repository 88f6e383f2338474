import { useState } from 'react'
import { useMoment } from '#app/i18n/use-moment.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { DataTable, TableCell } from '#app/ui/tables/data-table.tsx'
import { Pagination } from '#app/ui/tables/pagination.tsx'
import { PAGE_SIZE } from '#contract/constants.ts'
import { mailsForOperator, type BouncedMail } from '#contract/mails.operator.ts'
import type { BounceReason } from '#contract/rules/statuses.ts'
import { columnsOf } from './columns.ts'
import { ReadPart, type PartProps } from './read-part.tsx'
import { useOperatorRead } from './use-operator-read.ts'

const REASONS = {
  'unknown-address': 'BounceUnknownAddress',
  'mailbox-full': 'BounceMailboxFull',
  'not-accepted': 'BounceNotAccepted',
} as const satisfies Record<BounceReason, string>

/** Mails that came back after the mail server had accepted them. API-49 */
export function Bounces({ call, refreshKey }: PartProps) {
  const { t } = useTranslation('operator')
  const [page, setPage] = useState(0)
  const read = useOperatorRead(refreshKey, String(page), (signal) =>
    call(mailsForOperator.bounces, { query: { page: page + 1, limit: PAGE_SIZE } }, { signal }),
  )
  const { data = [], total = 0 } = read.data ?? {}
  return (
    <ReadPart id="bounces" title={t('BouncesTitle')} read={read}>
      {total === 0 ? (
        <p>{t('BouncesNone')}</p>
      ) : (
        <>
          <p>{t('BouncesText')}</p>
          <BounceTable mails={data} />
          <Pagination label={t('BouncePages')} page={page} rows={total} onPage={setPage} />
        </>
      )}
    </ReadPart>
  )
}

function BounceTable({ mails }: { mails: readonly BouncedMail[] }) {
  const { t } = useTranslation('operator')
  const moment = useMoment()
  const names = { mail: t('BounceMail'), why: t('BounceWhy'), code: t('BounceCode'), at: t('BounceAt'), instance: t('BounceInstance') }
  const columns = columnsOf(names, { mail: 130, why: 200, code: 110, at: 100, instance: 212 })
  return (
    <DataTable label={t('BouncesTitle')} columns={columns}>
      {mails.map(({ mailId, kind, why, code, bouncedAt, instanceId }) => (
        <tr key={mailId}>
          <th scope="row">
            <code lang="en">{kind}</code>
          </th>
          <TableCell name={names.why}>{t(REASONS[why])}</TableCell>
          <TableCell name={names.code}>
            <code>{code}</code>
          </TableCell>
          <TableCell name={names.at}>{moment(Date.parse(bouncedAt))}</TableCell>
          <TableCell name={names.instance}>{instanceId === null ? '-' : <code>{instanceId}</code>}</TableCell>
        </tr>
      ))}
    </DataTable>
  )
}
