import { OTPInput } from 'input-otp'
import type { SlotProps } from 'input-otp'
import { useId, useState } from 'react'
import { ONE_TIME_CODE_LENGTH } from '#contract/constants.ts'
import { digitsOf } from '#app/parts/details/digits.ts'
import './otp-slots.css'

interface OtpSlotsProps {
  label: string
  hint?: string | undefined
  /** a translated text */
  error?: string | undefined
  /** id of an error that is shown elsewhere */
  describedBy?: string | undefined
  value: string
  isVerifying: boolean
  onChange: (code: string) => void
}

/** A single input drawn as eight slots, so that pasting "1234 5678" and the keyboard's code suggestion work. LOGIN-8 */
export function OtpSlots({ label, hint, error, describedBy, value, isVerifying, onChange }: OtpSlotsProps) {
  const id = useId()
  const hintId = `${id}hint`
  const errorId = `${id}error`
  const isInvalid = error || describedBy ? true : undefined
  /** what an input method is composing: cleaning it already would restart the composition */
  const [composing, setComposing] = useState<string>()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {hint && (
        <span id={hintId} className="field-hint">
          {hint}
        </span>
      )}
      <OTPInput
        id={id}
        aria-describedby={[hint && hintId, error && errorId, describedBy].filter(Boolean).join(' ') || undefined}
        aria-invalid={isInvalid}
        maxLength={ONE_TIME_CODE_LENGTH}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        readOnly={isVerifying}
        noScriptCSSFallback={null}
        pasteTransformer={digitsOf}
        containerClassName="otp"
        value={composing ?? value}
        onCompositionStart={() => setComposing(value)}
        onCompositionEnd={(event) => {
          setComposing(undefined)
          if (!isVerifying) onChange(digitsOf(event.currentTarget.value).slice(0, ONE_TIME_CODE_LENGTH))
        }}
        onChange={(text) => {
          if (composing !== undefined) setComposing(text)
          else if (!isVerifying) onChange(digitsOf(text))
        }}
        render={({ slots }) => (
          <div className="otp-slots" data-invalid={isInvalid} aria-hidden="true">
            {slots.map((slot, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- a slot has no identity but its position
              <Slot key={at} {...slot} />
            ))}
          </div>
        )}
      />
      {error && (
        <span id={errorId} className="field-error">
          {error}
        </span>
      )}
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
