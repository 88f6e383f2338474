import type { ReplyOf } from '#contract/endpoint.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { normalEmail } from '#contract/rules/email.ts'
import type { TokenStatus } from '#contract/rules/statuses.ts'
import type { TokenRow, tokens } from '#contract/tokens.ts'

export type TokenList = ReplyOf<typeof tokens.list>

/** The accounts that hold this assessment, by default those that have not completed it: they cannot be given it again. ASSIGN-8 */
export function holdersOf(rows: readonly TokenRow[], assessmentId: string, statuses: readonly TokenStatus[] = ['PENDING']): Set<string> {
  const held = rows.filter((row) => row.assessmentId === assessmentId && statuses.includes(row.status))
  return new Set(held.map(({ assignedTo }) => normalEmail(assignedTo ?? '')))
}

/** Who holds a token, with the assessment's name if given: "Ana, ana@club.test (Touchline Profile)"; an erased one has no address. */
export function holderOf({ assignedTo, assignedName }: TokenRow, assessment: string | undefined): string {
  const holder = [assignedName, assignedTo].filter(Boolean).join(', ') || '-'
  return assessment === undefined ? holder : `${holder} (${plainName(assessment)})`
}
