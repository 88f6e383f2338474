import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { TOAST_SWIPE_PX } from '#app/constants.ts'
import { CloseIcon } from './icons.tsx'
import { toasts } from './toast.ts'
import type { Toast } from './toast.ts'

/** Draws the toast into the live region that stands in index.html from load. */
export function ToastHost() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get)
  const place = document.getElementById('toasts')

  useEffect(() => {
    const look = () => (document.hidden ? toasts.pause('hidden') : toasts.resume('hidden'))
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])

  return place && shown?.isOpen ? createPortal(<ToastBody key={shown.id} toast={shown} />, place) : null
}

function ToastBody({ toast }: { toast: Toast }) {
  const { t } = useTranslation('ui')
  const [swipe, setSwipe] = useState(0)
  const from = useRef<number | undefined>(undefined)

  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && toasts.dismiss()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <div
      className={`toast toast-${toast.tone}`}
      style={{ translate: `${swipe}px` }}
      onPointerEnter={() => toasts.pause('hover')}
      onPointerLeave={() => toasts.resume('hover')}
      onFocus={() => toasts.pause('focus')}
      onBlur={() => toasts.resume('focus')}
      onPointerDown={(event) => {
        from.current = event.clientX
      }}
      onPointerMove={(event) => from.current !== undefined && setSwipe(Math.max(event.clientX - from.current, 0))}
      onPointerUp={() => {
        from.current = undefined
        if (swipe >= TOAST_SWIPE_PX) toasts.dismiss()
        else setSwipe(0)
      }}
      onPointerCancel={() => {
        from.current = undefined
        setSwipe(0)
      }}
    >
      <div>
        {toast.title && <p className="toast-title">{toast.title}</p>}
        <p>{toast.text}</p>
      </div>
      <button type="button" className="icon-button" aria-label={t('Close')} onClick={toasts.dismiss}>
        <CloseIcon />
      </button>
    </div>
  )
}
