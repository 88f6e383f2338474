import type { RefObject } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { PlainTextField } from '#app/ui/forms/plain-text-field.tsx'
import { TextButton } from '#app/ui/forms/text-button.tsx'
import { suggestAddress } from '#contract/rules/address-typos.ts'
import { cleanEmail, isEmail } from '#contract/rules/email.ts'

interface Props {
  ref: RefObject<HTMLInputElement | null>
  label: string
  hint?: string
  error: string | undefined
  email: string
  onEmail: (email: string) => void
}

/** The player's address, with a suggestion if it looks mistyped. */
export function AddressField({ ref, label, hint, error, email, onEmail }: Props) {
  return (
    <>
      <PlainTextField
        ref={ref}
        label={label}
        hint={hint}
        error={error}
        isMandatory
        // the dialog's only field
        autoFocus
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={({ target }) => onEmail(target.value)}
      />
      <TypoSuggestion
        email={email}
        onCorrect={(corrected) => {
          onEmail(corrected)
          // the button disappears
          ref.current?.focus()
        }}
      />
    </>
  )
}

/** Suggests an address, but shows no error: one that looks odd may be right. */
function TypoSuggestion({ email, onCorrect }: { email: string; onCorrect: (email: string) => void }) {
  const { t } = useTranslation('tokens')
  const cleaned = cleanEmail(email)
  const suggested = isEmail(cleaned) ? suggestAddress(cleaned) : undefined
  if (suggested === undefined) return null
  return (
    <p role="status">
      <TextButton onClick={() => onCorrect(suggested)}>{t('AddressSlip', { email: suggested })}</TextButton>
    </p>
  )
}
