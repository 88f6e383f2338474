import { useEffect, useState } from 'react'
import { PART_SLOW_MS } from '#app/constants.ts'
import { reportStuckPart, orLost } from '#app/lost-part.ts'

/** MUI's dialog and snackbar: loaded when first needed, so that no screen waits for them. The service worker has cached them. */
export const loadDialog = () => import('#app/ui/feedback/dialog-body.tsx')
export const loadSnackbar = () => import('#app/ui/feedback/snackbar.tsx')
/** The photo cropper and its library. */
export const loadRoundCrop = () => import('#app/ui/forms/round-crop.tsx')

/**
 * The module once loaded; `lost` if it could not be loaded, or while it has not arrived for `slowAfterMs`. It is tried again when `isWanted`
 * next becomes true; if its request is never answered, the page reloads first (shell/reload-for-lost-parts.ts).
 */
export function useOnDemand<Module extends object>(
  load: () => Promise<Module>,
  isWanted: boolean,
  slowAfterMs = PART_SLOW_MS,
): Module | 'lost' | undefined {
  const [module, setModule] = useState<Module | 'lost'>()

  useEffect(() => {
    if (!isWanted) return
    let isOver = false
    const loading = load()
    const slow = setTimeout(() => setModule((arrived) => arrived ?? 'lost'), slowAfterMs)
    const stuck = setTimeout(() => reportStuckPart(loading), PART_SLOW_MS)
    orLost(loading)
      .then(
        (loaded) => !isOver && setModule(loaded),
        () => !isOver && setModule('lost'),
      )
      .finally(() => clearTimeout(stuck))
    return () => {
      isOver = true
      clearTimeout(slow)
      clearTimeout(stuck)
      setModule((arrived) => (arrived === 'lost' ? undefined : arrived))
    }
  }, [load, isWanted, slowAfterMs])

  return module
}
