import { useEffect, useSyncExternalStore, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { TOAST_PLAIN_AFTER_MS } from '#app/constants.ts'
import { loadSnackbar, useOnDemand } from '#app/ui/browser/on-demand.ts'
import { screenHeading, useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'
import { toasts } from './toast.ts'

/** of index.html */
const liveRegion: RefObject<HTMLElement | null> = {
  get current() {
    return document.getElementById('toasts')
  },
}

/** Draws the toast into the live region. */
export function ToastHost() {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.get)
  const snackbar = useOnDemand(loadSnackbar, toast !== undefined, TOAST_PLAIN_AFTER_MS)
  const region = liveRegion.current
  useKeepFocus(liveRegion, screenHeading)

  useEffect(() => {
    const onVisibilityChange = () => (document.hidden ? toasts.pause('hidden') : toasts.resume('hidden'))
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => document.removeEventListener('visibilitychange', onVisibilityChange)
  }, [])

  if (!region || !toast || !snackbar) return null
  if (snackbar !== 'lost') return createPortal(<snackbar.ToastSnackbar key={toast.id} toast={toast} />, region)
  // the snackbar could not be loaded, or not yet: show the text without it
  return toast.isOpen ? createPortal(<p className="notice">{toast.text}</p>, region) : null
}
