import type { ComponentProps } from 'react'

interface TextButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'className' | 'disabled' | 'aria-disabled'> {
  /** while a button beside it is working: stays focusable and ignores clicks */
  isInert?: boolean
}

/** A button within text, drawn as a link. */
export function TextButton({ isInert = false, onClick, ...rest }: TextButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      className="text-button"
      aria-disabled={isInert || undefined}
      onClick={(event) => {
        if (!isInert) onClick?.(event)
      }}
    />
  )
}
