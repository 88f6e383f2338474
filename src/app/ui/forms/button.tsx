import { useId } from 'react'
import type { ComponentProps } from 'react'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'aria-disabled'> {
  variant?: 'primary' | 'plain' | 'quiet' | 'danger'
  isWide?: boolean
  /** while working: stays focusable and ignores clicks */
  isBusy?: boolean
  /** while another button works: stays focusable and ignores clicks, without the spinner */
  isInert?: boolean
  /** why it cannot be used now: shown, and the button stays focusable; onClick is still called */
  unavailable?: string | undefined
  /** false, as in a table: the reason is a tooltip and read out, not shown below the button */
  isReasonShown?: boolean
}

export function Button({
  variant = 'plain',
  isWide = false,
  isBusy = false,
  isInert = false,
  unavailable,
  isReasonShown = true,
  className = '',
  type = 'button',
  onClick,
  children,
  'aria-describedby': describedBy,
  ...rest
}: ButtonProps) {
  const reasonId = useId()
  const isIgnored = isBusy || isInert
  const isDisabled = isIgnored || unavailable !== undefined
  return (
    <>
      <button
        {...rest}
        type={type}
        className={`button button-${variant} ${isWide ? 'button-wide' : ''} ${className}`}
        aria-disabled={isDisabled || undefined}
        aria-busy={isBusy || undefined}
        aria-describedby={[describedBy, unavailable === undefined ? '' : reasonId].filter(Boolean).join(' ') || undefined}
        title={isReasonShown ? rest.title : (unavailable ?? rest.title)}
        onClick={(event) => {
          // Enter in a form clicks the submit button too
          if (isDisabled && type === 'submit') event.preventDefault()
          if (!isIgnored) onClick?.(event)
        }}
      >
        {isBusy && <span className="spinner" />}
        {children}
      </button>
      {unavailable !== undefined && (
        <span id={reasonId} className={isReasonShown ? 'button-reason' : 'visually-hidden'}>
          {unavailable}
        </span>
      )}
    </>
  )
}
