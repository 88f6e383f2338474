import './dialogs.css'
import type { TokenRow } from '#contract/tokens.ts'
import { CorrectAddressDialog } from './correct-address.dialog.tsx'
import { ReclaimAssessmentDialog } from './reclaim-assessment.dialog.tsx'
import { ResendInviteDialog } from './resend-invite.dialog.tsx'
import { mayBeCorrected } from '#app/screens/tokens/token-states.ts'

/** What a coach has asked to do with an assigned token. */
export interface TokenAct {
  act: 'resend' | 'correct' | 'reclaim'
  row: TokenRow
  /** the coach has confirmed that the refused address is right */
  isSure?: boolean
}

interface Props {
  asked: TokenAct | undefined
  nameOf: (row: TokenRow) => string | undefined
  /** tokens refunded after they were used: the next that come back make up for them */
  owed: number
  onAsk: (asked: TokenAct | undefined) => void
}

/** One dialog at a time. Resending to a refused address first asks whether it is right. */
export function TokenDialogs({ asked, nameOf, owed, onAsk }: Props) {
  if (!asked) return null
  const { act, row, isSure = false } = asked
  const about = { row, assessment: nameOf(row), onClose: () => onAsk(undefined) }
  const isAskedFirst = act === 'resend' && !isSure && row.invitation === 'refused' && mayBeCorrected(row)
  if (act === 'reclaim') return <ReclaimAssessmentDialog {...about} isTokenOwed={owed > 0} />
  if (act === 'correct' || isAskedFirst) {
    // where mail came back because nobody has the address, the server would refuse (MAIL-12)
    const mayBeSentAnyway = isAskedFirst && row.bounced?.why !== 'unknown-address'
    const onSendAnyway = mayBeSentAnyway ? () => onAsk({ act: 'resend', row, isSure: true }) : undefined
    return <CorrectAddressDialog {...about} onSendAnyway={onSendAnyway} />
  }
  return <ResendInviteDialog {...about} onCorrect={mayBeCorrected(row) ? () => onAsk({ act: 'correct', row }) : undefined} />
}
