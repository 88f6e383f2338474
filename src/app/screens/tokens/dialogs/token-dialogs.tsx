import './dialogs.css'
import type { TokenRow } from '#contract/tokens.ts'
import { CorrectAddressDialog } from './correct-address.dialog.tsx'
import { ReclaimAssessmentDialog } from './reclaim-assessment.dialog.tsx'
import { ResendInviteDialog } from './resend-invite.dialog.tsx'
import { mayBeCorrected } from '#app/screens/tokens/token-states.ts'

/** What a coach has asked to do with a token that somebody holds. */
export interface TokenAct {
  act: 'resend' | 'correct' | 'reclaim'
  row: TokenRow
  /** asked about a refused address, and answered that it is the right one */
  isSure?: boolean
}

interface Props {
  asked: TokenAct | undefined
  nameOf: (row: TokenRow) => string | undefined
  onAsk: (asked: TokenAct | undefined) => void
}

/** One at a time. Sending again to an address that was refused begins with the question whether it is the right one. */
export function TokenDialogs({ asked, nameOf, onAsk }: Props) {
  if (!asked) return null
  const { act, row, isSure = false } = asked
  const about = { row, assessment: nameOf(row), onClose: () => onAsk(undefined) }
  const isAskedFirst = act === 'resend' && !isSure && row.invitation === 'refused' && mayBeCorrected(row)
  if (act === 'reclaim') return <ReclaimAssessmentDialog {...about} />
  if (act === 'correct' || isAskedFirst) {
    const onSendAnyway = isAskedFirst ? () => onAsk({ act: 'resend', row, isSure: true }) : undefined
    return <CorrectAddressDialog {...about} onSendAnyway={onSendAnyway} />
  }
  return <ResendInviteDialog {...about} onCorrect={mayBeCorrected(row) ? () => onAsk({ act: 'correct', row }) : undefined} />
}
