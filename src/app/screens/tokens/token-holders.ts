import type { ReplyOf } from '#contract/endpoint.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { normalEmail } from '#contract/rules/email.ts'
import type { TokenStatus } from '#contract/rules/statuses.ts'
import type { TokenRow, tokens } from '#contract/tokens.ts'

export type TokenList = ReplyOf<typeof tokens.list>

/** Accounts that have this assessment; nobody is given it twice before completing it. ASSIGN-8 */
export function holdersOf(rows: readonly TokenRow[], assessmentId: string, statuses: readonly TokenStatus[] = ['PENDING']): Set<string> {
  const theirs = rows.filter((row) => row.assessmentId === assessmentId && statuses.includes(row.status))
  return new Set(theirs.map(({ assignedTo }) => normalEmail(assignedTo ?? '')))
}

/** Who holds a token, and which assessment where there are several: "Ana, ana@club.test (Touchline Profile)". */
export function holderOf({ assignedTo, assignedName }: TokenRow, assessment: string | undefined): string {
  const email = [assignedName, assignedTo ?? '-'].filter(Boolean).join(', ')
  return assessment === undefined ? email : `${email} (${plainName(assessment)})`
}
