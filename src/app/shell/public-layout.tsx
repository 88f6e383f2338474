import './shell.css'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { BrandMark } from '#app/ui/layout/brand.tsx'
import { ConnectionStrip } from './connection-strip.tsx'
import { DemoRibbon } from './demo-ribbon.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { UpdatePrompt } from './update-prompt.tsx'

/** The frame of the public screens. */
export function PublicLayout({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell')
  return (
    <div className="shell-body">
      <header className="bar">
        <span className="bar-brand">
          <BrandMark size={28} />
          {t('Brand')}
        </span>
        <LanguageSwitch />
      </header>
      <ConnectionStrip />
      <UpdatePrompt />
      <main id="content">{children}</main>
      <DemoRibbon />
    </div>
  )
}
