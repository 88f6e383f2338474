import { useState } from 'react'
import { useMoment } from '#app/i18n/use-moment.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { DataTable, TableCell } from '#app/ui/tables/data-table.tsx'
import { Pagination } from '#app/ui/tables/pagination.tsx'
import { PAGE_SIZE } from '#contract/constants.ts'
import { paymentsForOperator, type OrderToCheck } from '#contract/payments.operator.ts'
import { formatPrice } from '#contract/rules/pricing.ts'
import { columnsOf } from './columns.ts'
import { ReadPart, type PartProps } from './read-part.tsx'
import { useOperatorRead } from './use-operator-read.ts'

interface Props extends PartProps {
  onPerson: (userId: string) => void
}

/** Payments to compare with the card provider, and coaches who owe tokens. API-51 */
export function Payments({ call, refreshKey, onPerson }: Props) {
  const { t } = useTranslation('operator')
  const [page, setPage] = useState(0)
  const read = useOperatorRead(refreshKey, String(page), (signal) =>
    call(paymentsForOperator.toCheck, { query: { page: page + 1, limit: PAGE_SIZE } }, { signal }),
  )
  const { data = [], total = 0, owing = [] } = read.data ?? {}
  return (
    <ReadPart id="payments" title={t('PaymentsTitle')} read={read}>
      {total === 0 && owing.length === 0 && <p>{t('PaymentsNone')}</p>}
      {total > 0 && (
        <>
          <p>{t('PaymentsText')}</p>
          <OrderTable orders={data} onPerson={onPerson} />
          <Pagination label={t('PaymentPages')} page={page} rows={total} onPage={setPage} />
        </>
      )}
      {owing.length > 0 && (
        <>
          <p>{t('OwingText')}</p>
          <ul>
            {owing.map(({ userId, tokens }) => (
              <li key={userId}>
                {t('Owes', { count: tokens })} <PersonButton userId={userId} onPerson={onPerson} />
              </li>
            ))}
          </ul>
        </>
      )}
    </ReadPart>
  )
}

const WORDS = { unpaid: 'Unpaid', unheard: 'Unheard', erased: 'Erased' } as const

const WIDTHS = { order: 152, why: 163, what: 118, amount: 100, since: 77, who: 136 }

function OrderTable({ orders, onPerson }: { orders: readonly OrderToCheck[]; onPerson: (userId: string) => void }) {
  const { t } = useTranslation('operator')
  const moment = useMoment()
  const names = { order: t('Order'), why: t('PaymentWhy'), what: t('PaymentWhat'), amount: t('Amount'), since: t('Since'), who: t('Buyer') }
  const columns = columnsOf(names, WIDTHS)
  return (
    <DataTable label={t('PaymentTable')} columns={columns}>
      {orders.map(({ orderId, userId, kind, why, amount, currency, since }) => (
        <tr key={orderId}>
          <th scope="row">
            <code>{orderId}</code>
          </th>
          <TableCell name={names.why}>{t(WORDS[why])}</TableCell>
          <TableCell name={names.what}>{t(kind === 'tokens' ? 'KindTokens' : 'KindAssessment')}</TableCell>
          <TableCell name={names.amount}>{formatPrice(amount, currency)}</TableCell>
          <TableCell name={names.since}>{moment(Date.parse(since))}</TableCell>
          <TableCell name={names.who}>
            {why === 'erased' ? t('BuyerErased') : <PersonButton userId={userId} onPerson={onPerson} />}
          </TableCell>
        </tr>
      ))}
    </DataTable>
  )
}

function PersonButton({ userId, onPerson }: { userId: string; onPerson: (userId: string) => void }) {
  const { t } = useTranslation('operator')
  return (
    <Button aria-label={t('ShowPersonOf', { userId })} onClick={() => onPerson(userId)}>
      {t('ShowPerson')}
    </Button>
  )
}
