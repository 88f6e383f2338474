import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { formatCount } from '#app/i18n/figures.ts'
import { formatDate } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AssessmentName } from '#app/parts/assessment-name.tsx'
import { EmailText } from '#app/parts/email-text.tsx'
import { Button } from '#app/ui/button.tsx'
import { TableCell } from '#app/ui/data-table.tsx'
import { PlaceholderLink } from '#app/ui/placeholder-link.tsx'
import { plainName } from '#contract/rules/assessment-name.ts'
import type { TokenStatus } from '#contract/rules/statuses.ts'
import type { TokenRow } from '#contract/tokens.ts'
import { Badge, NotDelivered } from '#app/parts/dashboard/status-badge.tsx'
import { isUndelivered, mayBeCorrected } from './token-states.ts'

export interface TokenActs {
  onAssign: () => void
  onResend: (row: TokenRow) => void
  onReclaim: (row: TokenRow) => void
  onCorrect: (row: TokenRow) => void
}

interface RowProps extends TokenActs {
  row: TokenRow
  /** its name, where there are several */
  assessment: string | undefined
}

/** What a dialog about a token that somebody holds is told. */
export interface HeldTokenProps extends Pick<RowProps, 'row' | 'assessment'> {
  onClose: () => void
}

/** Who holds a token, and which assessment where there are several: "Ana, ana@club.test (Touchline Profile)". */
export function holderOf({ assignedTo, assignedName }: TokenRow, assessment: string | undefined): string {
  const email = [assignedName, assignedTo ?? '-'].filter(Boolean).join(', ')
  return assessment === undefined ? email : `${email} (${plainName(assessment)})`
}

/** One row of the token table. TOKENS-18 */
export function TokenTableRow({ row, assessment, ...acts }: RowProps) {
  const { t } = useTranslation('tokens')
  return (
    <tr>
      <th scope="row">
        <span className="token-number">{t('TokenIndex')} </span>
        {formatCount(row.index)}
      </th>
      <TableCell name={t('TokenStatus')}>
        <Status row={row} />
      </TableCell>
      <TableCell name={t('TokenAssignedTo')}>
        <span>
          {row.assignedName && <span className="token-name">{row.assignedName}</span>}
          <EmailText email={row.assignedTo} />
          {assessment !== undefined && (
            <span className="token-assessment">
              <AssessmentName name={assessment} />
            </span>
          )}
        </span>
      </TableCell>
      <TableCell name={t('TokenDateSent')}>{formatDate(row.dateSent)}</TableCell>
      <TableCell name={t('TokenActions')}>
        <Actions row={row} assessment={assessment} {...acts} />
      </TableCell>
    </tr>
  )
}

const WORDS = {
  AVAILABLE: 'TokenStatusAvailable',
  PENDING: 'TokenStatusPending',
  COMPLETED: 'TokenStatusCompleted',
} as const satisfies Record<TokenStatus, string>

function Status({ row: { status, instanceStatus, invitation, heldUntil } }: { row: TokenRow }) {
  const { t } = useTranslation('tokens')
  const words = t(WORDS[status])
  return (
    <span>
      {status === 'AVAILABLE' ? <span className="home-badge">{words}</span> : <Badge isDone={status === 'COMPLETED'}>{words}</Badge>}
      {status === 'PENDING' && instanceStatus === 'IN_PROGRESS' && <span className="token-begun">{t('TokenBegun')}</span>}
      {instanceStatus === 'ALLOCATED' && <NotDelivered invitation={invitation} heldUntil={heldUntil} />}
    </span>
  )
}

/** AVAILABLE: Assign. PENDING: Resend, and Reassign/Cancel, which reclaims. COMPLETED: See Report, without action. TOKENS-20 */
function Actions({ row, assessment, onAssign, onResend, onReclaim, onCorrect }: RowProps) {
  const { t } = useTranslation('tokens')
  const { unavailable, whenReachable } = useOnlineOnly()
  const email = holderOf(row, assessment)
  if (row.status === 'COMPLETED') return <PlaceholderLink>{t('TokenSeeReport')}</PlaceholderLink>
  const act = (label: string, name: string, run: () => void) => (
    <Button aria-label={name} unavailable={unavailable} isReasonShown={false} onClick={() => whenReachable(run)}>
      {label}
    </Button>
  )
  return (
    <div className="token-actions">
      {row.status === 'AVAILABLE' ? (
        act(t('TokenAssign'), t('TokenAssignOf', { index: row.index }), onAssign)
      ) : (
        <>
          {isUndelivered(row) && mayBeCorrected(row) && act(t('CorrectAddress'), t('CorrectAddressOf', { email }), () => onCorrect(row))}
          {act(t('TokenResend'), t('TokenResendOf', { email }), () => onResend(row))}
          {act(t('TokenReclaim'), t('TokenReclaimOf', { email }), () => onReclaim(row))}
        </>
      )}
    </div>
  )
}
