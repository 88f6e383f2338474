import { useEffect } from 'react'
import type { DialogProps } from './dialog-body.tsx'
import { reportStuckPart } from '#app/lost-part.ts'
import { loadDialog, useOnDemand } from '#app/ui/browser/on-demand.ts'
import { errorToast } from './toast.ts'

/** A modal dialog. MUI's dialog is loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  const { isOpen, onClose } = props
  const body = useOnDemand(loadDialog, isOpen)
  const isLost = isOpen && body === 'lost'

  useEffect(() => {
    if (!isLost) return
    errorToast('ui:DialogLost')
    reportStuckPart()
    onClose()
  }, [isLost, onClose])

  return isOpen && body && body !== 'lost' ? <body.DialogBody {...props} /> : null
}
