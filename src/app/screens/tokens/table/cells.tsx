import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { Badge, NotDelivered } from '#app/parts/dashboard/status-badge.tsx'
import { EmailText } from '#app/parts/person/email-text.tsx'
import { holderOf } from '#app/screens/tokens/token-holders.ts'
import { isUndelivered, mayBeCorrected } from '#app/screens/tokens/token-states.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { PlaceholderLink } from '#app/ui/layout/placeholder-link.tsx'
import type { TokenStatus } from '#contract/rules/statuses.ts'
import type { TokenRow } from '#contract/tokens.ts'

/** The actions of a row. */
export interface TokenActions {
  onAssign: () => void
  onResend: (row: TokenRow) => void
  onReclaim: (row: TokenRow) => void
  onCorrect: (row: TokenRow) => void
}

const STATUS_KEYS = {
  AVAILABLE: 'TokenStatusAvailable',
  PENDING: 'TokenStatusPending',
  COMPLETED: 'TokenStatusCompleted',
} as const satisfies Record<TokenStatus, string>

export function Status({ row: { status, instanceStatus, invitation, heldUntil, bounced } }: { row: TokenRow }) {
  const { t } = useTranslation('tokens')
  const text = t(STATUS_KEYS[status])
  return (
    <span>
      {status === 'AVAILABLE' ? <span className="status-badge">{text}</span> : <Badge isDone={status === 'COMPLETED'}>{text}</Badge>}
      {status === 'PENDING' && instanceStatus === 'IN_PROGRESS' && <span className="token-begun">{t('TokenBegun')}</span>}
      {instanceStatus === 'ALLOCATED' && <NotDelivered invitation={invitation} heldUntil={heldUntil} bounced={bounced} />}
    </span>
  )
}

/** The holder, and the assessment if there are several. */
export function AssignedTo({ row: { assignedName, assignedTo }, assessment }: { row: TokenRow; assessment: string | undefined }) {
  return (
    <span>
      {assignedName && <span className="token-name">{assignedName}</span>}
      <EmailText email={assignedTo} />
      {assessment !== undefined && (
        <span className="token-assessment">
          <AssessmentName name={assessment} />
        </span>
      )}
    </span>
  )
}

interface ActionsProps extends TokenActions {
  row: TokenRow
  assessment: string | undefined
}

/** AVAILABLE: Assign. PENDING: Resend, and Reassign/Cancel, which reclaims. COMPLETED: See Report, without action. TOKENS-20 */
export function Actions({ row, assessment, onAssign, onResend, onReclaim, onCorrect }: ActionsProps) {
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
