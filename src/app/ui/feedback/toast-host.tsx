import { useEffect, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { loadSnackbar, useOnDemand } from '#app/ui/browser/on-demand.ts'
import { toasts } from './toast.ts'

/** Draws the toast into the live region of index.html. */
export function ToastHost() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get)
  const drawn = useOnDemand(loadSnackbar, shown !== undefined)
  const place = document.getElementById('toasts')

  useEffect(() => {
    const look = () => (document.hidden ? toasts.pause('hidden') : toasts.resume('hidden'))
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])

  if (!place || !shown || !drawn) return null
  if (drawn !== 'lost') return createPortal(<drawn.ToastSnackbar key={shown.id} toast={shown} />, place)
  // its text matters more than its look
  return shown.isOpen ? createPortal(<p className="notice">{shown.text}</p>, place) : null
}
