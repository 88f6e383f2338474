import Fade from '@mui/material/Fade'
import Snackbar from '@mui/material/Snackbar'
import { useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { TOAST_SWIPE_PX } from '#app/constants.ts'
import { CloseIcon } from '#app/ui/layout/icons.tsx'
import { Theme } from '#app/ui/theme.tsx'
import { toasts } from './toast.ts'
import type { Toast } from './toast.ts'

/** A toast drawn by MUI. Its timing is in toast.ts, as MUI's own timer does not pause in hidden tabs (SHELL-12). */
export function ToastSnackbar({ toast }: { toast: Toast }) {
  const { t } = useTranslation('ui')
  const [swipe, setSwipe] = useState(0)
  const startX = useRef<number | undefined>(undefined)
  const resetSwipe = () => {
    startX.current = undefined
    setSwipe(0)
  }

  return (
    <Theme>
      <Snackbar
        open={toast.isOpen}
        onClose={(_, reason) => {
          if (reason === 'escapeKeyDown') toasts.dismiss()
        }}
        message={
          <>
            {toast.title && <strong>{toast.title}</strong>}
            {/* Orca joins blocks without a space, and drops a plain one */}
            {toast.title && <span className="visually-hidden">{'.\u00a0'}</span>}
            <p>{toast.text}</p>
          </>
        }
        action={
          <button type="button" className="icon-button" aria-label={t('Close')} onClick={toasts.dismiss}>
            <CloseIcon />
          </button>
        }
        slots={{ transition: Fade }}
        slotProps={{
          // the surrounding live region announces it
          content: { role: 'presentation', className: toast.tone, style: { translate: `${swipe}px` } },
        }}
        onPointerEnter={() => toasts.pause('hover')}
        onPointerLeave={() => toasts.resume('hover')}
        onFocus={() => toasts.pause('focus')}
        onBlur={() => toasts.resume('focus')}
        onPointerDown={(event) => {
          startX.current = event.clientX
        }}
        onPointerMove={(event) => startX.current !== undefined && setSwipe(Math.max(event.clientX - startX.current, 0))}
        onPointerUp={() => {
          if (swipe >= TOAST_SWIPE_PX) toasts.dismiss()
          else resetSwipe()
        }}
        onPointerCancel={resetSwipe}
      />
    </Theme>
  )
}
