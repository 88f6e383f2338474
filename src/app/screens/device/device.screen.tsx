/** /device: what waits on this device and why, what is stored for no signal, and a text for support. DEVICE-1 to DEVICE-6 */
import '#app/screens/player/player.css'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useErasedText } from '#app/parts/use-erased-text.ts'
import { useSession } from '#app/session/use-session.ts'
import { Page } from '#app/ui/layout/page.tsx'
import { Parts } from '#app/ui/layout/part.tsx'
import { AppVersion } from './app-version.tsx'
import { Connection } from './connection.tsx'
import styles from './device.module.css'
import { Errors } from './errors.tsx'
import { Installing } from './installing.tsx'
import { Storage } from './storage.tsx'
import { Support } from './support.tsx'
import { useDeviceFacts } from './use-device-facts.ts'
import { Waiting } from './waiting.tsx'

export default function DeviceScreen() {
  const { t } = useTranslation(['device', 'player'])
  const { user, userTypeCode } = useSession()
  const facts = useDeviceFacts(user?.id)
  const erasedText = useErasedText()
  return (
    <Page title={t('device:DeviceTitle')} intro={t('device:DeviceLead')} width="middle">
      <div className={styles.lines}>
        <p role="status" className={erasedText && 'notice'}>
          {erasedText}
        </p>
        <Parts>
          <Waiting facts={facts} isPlayer={userTypeCode !== 'coach'} />
          <Connection facts={facts} />
          <Storage facts={facts} isPlayer={userTypeCode !== 'coach'} />
          <Errors />
          <AppVersion />
          <Installing />
          <Support facts={facts} />
        </Parts>
      </div>
    </Page>
  )
}
