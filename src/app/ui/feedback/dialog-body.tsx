import MuiDialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useRef } from 'react'
import type { ReactNode, RefObject } from 'react'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'
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
  const paper = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
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
        slotProps={{ paper: { ref: paper }, transition: { onEntered: unhideLiveRegions } }}
      >
        <DialogTitle ref={heading} id={titleId} tabIndex={-1}>
          {title}
        </DialogTitle>
        <DialogContent id={textId}>{children}</DialogContent>
        {actions && <DialogActions>{actions}</DialogActions>}
        <KeepFocus part={paper} heading={heading} />
      </MuiDialog>
    </Theme>
  )
}

/** Within MUI's dialog, whose elements are not there yet when DialogBody is mounted. */
function KeepFocus({ part, heading }: { part: RefObject<HTMLElement | null>; heading: RefObject<HTMLElement | null> }) {
  useKeepFocus(part, heading)
  return null
}
