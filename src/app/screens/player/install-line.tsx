import { useSyncExternalStore } from 'react'
import { isOnIosHomeScreen } from '#app/parts/install/browser.ts'
import { install } from '#app/parts/install/install.ts'
import { loadInstallHelp } from '#app/parts/install/on-demand.ts'
import { useOnDemand } from '#app/ui/browser/on-demand.ts'

/** Suggests installing the app once a section was saved, or tells the new app where its answers come from. HOME-21 */
export function InstallLine() {
  const isDue = useSyncExternalStore(install.subscribe, install.isDue)
  const isNew = useSyncExternalStore(install.subscribe, install.isNew) && isOnIosHomeScreen()
  const module = useOnDemand(loadInstallHelp, isDue || isNew)
  if (!module || module === 'lost') return null
  return isNew ? <module.FirstStartNote /> : <module.InstallNote />
}
