import { OTPInput } from 'input-otp'
import type { SlotProps } from 'input-otp'
import { useId } from 'react'
import { ONE_TIME_CODE_LENGTH } from '#contract/constants.ts'
import './otp-slots.css'

interface OtpSlotsProps {
  label: string
  hint: string
  value: string
  isVerifying: boolean
  onChange: (code: string) => void
}

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** One real input drawn as eight slots, so that pasting "1234 5678" and the keyboard's offer of the code work. §5 */
export function OtpSlots({ label, hint, value, isVerifying, onChange }: OtpSlotsProps) {
  const id = useId()
  const hintId = `${id}hint`
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <span id={hintId} className="field-hint">
        {hint}
      </span>
      <OTPInput
        id={id}
        aria-describedby={hintId}
        maxLength={ONE_TIME_CODE_LENGTH}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        readOnly={isVerifying}
        noScriptCSSFallback={null}
        pasteTransformer={digitsOf}
        containerClassName="otp"
        value={value}
        onChange={(text) => {
          if (!isVerifying) onChange(digitsOf(text))
        }}
        render={({ slots }) => (
          <div className="otp-slots" aria-hidden="true">
            {slots.map((slot, at) => (
              // A slot is its place.
              // eslint-disable-next-line react/no-array-index-key
              <Slot key={at} {...slot} />
            ))}
          </div>
        )}
      />
    </div>
  )
}

function Slot({ char, isActive, hasFakeCaret }: SlotProps) {
  return (
    <div className="otp-slot" data-active={isActive || undefined}>
      {char}
      {hasFakeCaret && <span className="otp-caret" />}
    </div>
  )
}
