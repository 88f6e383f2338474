import type { TokenRow } from '#contract/tokens.ts'

/** What a dialog about a token that somebody holds is given. */
export interface HeldTokenProps {
  row: TokenRow
  /** its name, where there are several */
  assessment: string | undefined
  onClose: () => void
}
