import { useLayoutEffect, useRef } from 'react'
import { Button } from '#app/ui/forms/button.tsx'
import type { ButtonProps } from '#app/ui/forms/button.tsx'
import { useOnlineOnly } from './use-online-only.ts'

interface OnlineOnlyButtonProps extends Omit<ButtonProps, 'unavailable' | 'onClick'> {
  onClick?: () => void
}

/**
 * A button for actions that only work online and are never queued, such as checkout or sign-in. Offline it stays focusable and
 * says why; a tap checks the connection again, and then acts or, with type `submit`, submits the form.
 */
export function OnlineOnlyButton({ onClick, type = 'button', isBusy = false, ...rest }: OnlineOnlyButtonProps) {
  const { unavailable, isAsking, whenReachable } = useOnlineOnly()
  // what the screen shows may change while the connection is checked
  const latest = useRef(onClick)
  useLayoutEffect(() => {
    latest.current = onClick
  })
  return (
    <Button
      {...rest}
      type={type}
      isBusy={isBusy || isAsking}
      unavailable={unavailable}
      onClick={({ currentTarget }) =>
        whenReachable(() => {
          latest.current?.()
          // if it was available, the browser submits the form itself
          if (type === 'submit' && unavailable !== undefined) currentTarget.form?.requestSubmit()
        })
      }
    />
  )
}
