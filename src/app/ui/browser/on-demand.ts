import { useEffect, useState } from 'react'

/** What MUI draws over any screen: loaded when first needed (the service worker has it stored), so that no screen waits for it. */
export const loadDialog = () => import('#app/ui/feedback/dialog-body.tsx')
export const loadSnackbar = () => import('#app/ui/feedback/snackbar.tsx')
/** The cropper and its library, needed by few. */
export const loadRoundCrop = () => import('#app/ui/forms/round-crop.tsx')

/** The module once loaded; `lost` if it could not be, until it is next needed. */
export function useOnDemand<Module extends object>(load: () => Promise<Module>, isWanted: boolean): Module | 'lost' | undefined {
  const [module, setModule] = useState<Module | 'lost'>()

  useEffect(() => {
    if (!isWanted) return
    let isOver = false
    load().then(
      (loaded) => !isOver && setModule(loaded),
      () => !isOver && setModule('lost'),
    )
    return () => {
      isOver = true
    }
  }, [load, isWanted])

  return module
}
