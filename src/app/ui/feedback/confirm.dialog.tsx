import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  children: ReactNode
  confirmLabel: string
  /** cannot be undone: the button is red, and Cancel has the focus at first */
  isDestructive?: boolean
  isBusy?: boolean
  /** why it cannot be confirmed now, e.g. offline (see `useOnlineOnly`) */
  unavailable?: string | undefined
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, children, confirmLabel, isDestructive = false, isBusy = false, unavailable, onConfirm, onClose } = props
  const { t } = useTranslation('ui')

  const actions = (
    <>
      {/* the safe choice has the focus first */}
      <Button autoFocus={isDestructive} onClick={onClose} isInert={isBusy}>
        {t('Cancel')}
      </Button>
      <div>
        <Button variant={isDestructive ? 'danger' : 'primary'} isBusy={isBusy} unavailable={unavailable} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </>
  )
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose} isBusy={isBusy} actions={actions}>
      {children}
    </Dialog>
  )
}
