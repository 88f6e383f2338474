import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { HowToInstall } from '#app/parts/install/how-to-install.tsx'
import { install } from '#app/parts/install/install.ts'
import { installMethod } from '#app/parts/install/install-method.ts'
import { Part } from '#app/ui/layout/part.tsx'

/** How to install the app, also after it was refused. DEVICE-6 */
export function Installing() {
  const { t } = useTranslation('device')
  const method = useSyncExternalStore(install.subscribe, installMethod)
  return (
    <Part id="install" title={t('InstallTitle')}>
      <HowToInstall method={method} />
    </Part>
  )
}
