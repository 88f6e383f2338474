import { Button } from '#app/ui/forms/button.tsx'
import type { ButtonProps } from '#app/ui/forms/button.tsx'
import { useOnlineOnly } from './use-online-only.ts'

interface OnlineOnlyButtonProps extends Omit<ButtonProps, 'unavailable' | 'onClick'> {
  onClick?: () => void
}

/**
 * A button for what is never queued: checkout, allocation, resend, reclaim, photo, sign-in. Without the API it stays
 * focusable, says why, and a tap asks once more; as `submit` it then submits its form.
 */
export function OnlineOnlyButton({ onClick, type = 'button', ...rest }: OnlineOnlyButtonProps) {
  const { unavailable, whenReachable } = useOnlineOnly()
  return (
    <Button
      {...rest}
      type={type}
      unavailable={unavailable}
      onClick={({ currentTarget }) =>
        whenReachable(() => {
          onClick?.()
          // Reachable all along: the browser submits by itself.
          if (type === 'submit' && unavailable !== undefined) currentTarget.form?.requestSubmit()
        })
      }
    />
  )
}
