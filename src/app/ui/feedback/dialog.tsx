import { useEffect } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import type { DialogProps } from './dialog-body.tsx'
import { loadDialog, useOnDemand } from '#app/ui/browser/on-demand.ts'
import { errorToast } from './toast.ts'

/** A modal dialog. MUI's dialog is loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  const { t } = useTranslation('ui')
  const { isOpen, onClose } = props
  const body = useOnDemand(loadDialog, isOpen)
  const isLost = isOpen && body === 'lost'

  useEffect(() => {
    if (!isLost) return
    errorToast(t('DialogLost'))
    onClose()
  }, [isLost, onClose, t])

  return isOpen && body && body !== 'lost' ? <body.DialogBody {...props} /> : null
}
