import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { install } from './install.ts'
import styles from './install.module.css'
import { AddIcon, DockPicture, DotsIcon, HomeScreenPicture, ShareIcon } from './pictures.tsx'
import { SendFirst } from './send-first.tsx'
import { useUnsent } from './use-unsent.ts'
import { hasOwnStorage, type InstallMethod } from './install-method.ts'

/** What to do in this browser to install the app. INSTALL-9, INSTALL-10 */
export function HowToInstall({ method }: { method: InstallMethod }) {
  return hasOwnStorage(method) ? <AfterSending method={method} /> : <Steps method={method} />
}

/** The installed app has a storage of its own: what was not sent would stay behind. */
function AfterSending({ method }: { method: InstallMethod }) {
  const { count, recount } = useUnsent()
  if (count === undefined) return null
  return count > 0 ? <SendFirst waiting={count} onTried={recount} /> : <Steps method={method} />
}

function Steps({ method }: { method: InstallMethod }) {
  const { t } = useTranslation(['install', 'shell'])
  switch (method) {
    case 'installed':
      return <p>{t('Installed')}</p>
    case 'offer':
      return (
        <>
          <p>{t('SameStorage')}</p>
          <div>
            <Button variant="primary" onClick={() => void install.prompt()}>
              {t('shell:Install')}
            </Button>
          </div>
        </>
      )
    case 'ios':
      return (
        <>
          <ol className={styles.steps}>
            <Step picture={<ShareIcon />}>{t('IosShare')}</Step>
            <Step picture={<AddIcon />}>{t('IosAdd')}</Step>
            <Step picture={<HomeScreenPicture />}>{t('OwnStorage')}</Step>
          </ol>
          <p className="soft">{t('WhySevenDays')}</p>
        </>
      )
    case 'mac':
      return (
        <>
          <ol className={styles.steps}>
            <Step picture={<AddIcon />}>{t('MacDock')}</Step>
            <Step picture={<DockPicture />}>{t('OwnStorage')}</Step>
          </ol>
          <p className="soft">{t('WhySevenDays')}</p>
        </>
      )
    case 'firefox':
      return (
        <>
          <ol className={styles.steps}>
            <Step picture={<DotsIcon />}>{t('FirefoxMenu')}</Step>
            <Step picture={<AddIcon />}>{t('FirefoxAdd')}</Step>
          </ol>
          <p>{t('SameStorage')}</p>
        </>
      )
    case 'none':
      return <p>{t('NotOffered')}</p>
  }
}

function Step({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  return (
    <li>
      <span className={styles.picture}>{picture}</span>
      <span>{children}</span>
    </li>
  )
}
