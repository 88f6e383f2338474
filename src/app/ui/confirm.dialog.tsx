import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  children: ReactNode
  confirmLabel: string
  cancelLabel?: string
  /** what it does cannot be undone: red, and the focus starts on Cancel */
  isDestructive?: boolean
  isBusy?: boolean
  /** why it cannot be confirmed now, e.g. offline (see `useOnlineOnly`) */
  unavailable?: string | undefined
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    isOpen,
    title,
    children,
    confirmLabel,
    cancelLabel,
    isDestructive = false,
    isBusy = false,
    unavailable,
    onConfirm,
    onClose,
  } = props
  const { t } = useTranslation('ui')
  const cancel = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    if (isOpen && isDestructive) cancel.current?.focus()
  }, [isOpen, isDestructive])

  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose} isBusy={isBusy}>
      <div>{children}</div>
      <div className="dialog-actions">
        <Button ref={cancel} onClick={onClose} aria-disabled={isBusy || undefined}>
          {cancelLabel ?? t('Cancel')}
        </Button>
        <div>
          <Button look={isDestructive ? 'danger' : 'primary'} isBusy={isBusy} unavailable={unavailable} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
