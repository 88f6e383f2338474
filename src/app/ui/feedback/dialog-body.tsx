import MuiDialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { Theme } from '#app/ui/theme.tsx'

export interface DialogProps {
  isOpen: boolean
  title: string
  onClose: () => void
  /** while something is under way: the dialog cannot be closed */
  isBusy?: boolean
  children: ReactNode
  /** buttons below the content; if given, `children` are the dialog's accessible description */
  actions?: ReactNode
}

/** MUI hides everything behind a dialog from screen readers; the live regions must stay audible. */
function unhideLiveRegions(): void {
  for (const id of ['toasts', 'announcer']) document.getElementById(id)?.removeAttribute('aria-hidden')
}

export function DialogBody({ title, onClose, isBusy = false, children, actions }: DialogProps) {
  const titleId = useId()
  const textId = useId()
  return (
    <Theme>
      <MuiDialog
        open
        fullWidth
        onClose={() => {
          if (!isBusy) onClose()
        }}
        aria-labelledby={titleId}
        aria-describedby={actions ? textId : undefined}
        slotProps={{ transition: { onEntered: unhideLiveRegions } }}
      >
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent id={textId}>{children}</DialogContent>
        {actions && <DialogActions>{actions}</DialogActions>}
      </MuiDialog>
    </Theme>
  )
}
