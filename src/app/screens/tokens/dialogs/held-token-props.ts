import type { TokenRow } from '#contract/tokens.ts'

/** The props of a dialog about an assigned token. */
export interface HeldTokenProps {
  row: TokenRow
  /** the assessment's name, if there are several */
  assessment: string | undefined
  onClose: () => void
}
