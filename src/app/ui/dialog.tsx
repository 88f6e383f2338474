import { useEffect, useId, useRef } from 'react'
import type { ReactNode } from 'react'

interface DialogProps {
  isOpen: boolean
  title: string
  onClose: () => void
  /** nothing closes it while something is under way */
  isBusy?: boolean
  children: ReactNode
}

/**
 * A modal on the browser's own dialog: it keeps the focus, gives it back, and costs nothing. MUI's Select and Autocomplete
 * open outside of it and would be dead there: a dialog that holds one is MUI's.
 */
export function Dialog({ isOpen, title, onClose, isBusy = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const dialog = ref.current
    if (!isOpen || !dialog) return
    dialog.showModal()
    return () => dialog.close()
  }, [isOpen])

  if (!isOpen) return null
  const leave = () => !isBusy && onClose()
  return (
    // The backdrop is the dialog's own; the keyboard's way out is Escape.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onClick={(event) => event.target === ref.current && isOutside(event, ref.current) && leave()}
    >
      <div className="stack">
        <h2 id={titleId}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

function isOutside({ clientX, clientY }: { clientX: number; clientY: number }, dialog: HTMLElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}
