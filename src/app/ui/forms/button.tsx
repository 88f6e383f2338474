import { useId } from 'react'
import type { ComponentProps } from 'react'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  look?: 'primary' | 'plain' | 'quiet' | 'danger'
  isWide?: boolean
  /** while working: stays focused and does not act again */
  isBusy?: boolean
  /** why it cannot be used now: it stays focusable and says so */
  unavailable?: string | undefined
  /** whether the reason is shown below the button; in a table it is only read out */
  isReasonShown?: boolean
}

export function Button({
  look = 'plain',
  isWide = false,
  isBusy = false,
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
  const isInert = isBusy || unavailable !== undefined
  return (
    <>
      <button
        {...rest}
        // a busy or unavailable submit button must not submit by Enter either
        type={type}
        className={`button button-${look} ${isWide ? 'button-wide' : ''} ${className}`}
        aria-disabled={isInert || undefined}
        aria-busy={isBusy || undefined}
        aria-describedby={[describedBy, unavailable === undefined ? '' : reasonId].filter(Boolean).join(' ') || undefined}
        title={isReasonShown ? rest.title : (unavailable ?? rest.title)}
        onClick={(event) => {
          if (isInert && type === 'submit') event.preventDefault()
          if (!isBusy) onClick?.(event)
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
