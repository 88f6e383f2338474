import './shell.css'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { paths } from '#app/paths.ts'
import { BrandMark } from '#app/ui/layout/brand.tsx'
import { ConnectionStrip } from './connection-strip.tsx'
import { LanguageSwitch } from './language-switch.tsx'

/** The frame of the assessment and payment screens: no sidebar and no prompts, which would distract. */
export function FocusLayout({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell')
  return (
    <div className="shell-body">
      <header className="bar">
        <Link href={paths.home()} className="bar-brand">
          <BrandMark size={28} />
          {t('Brand')}
        </Link>
        <LanguageSwitch />
      </header>
      <ConnectionStrip />
      <main id="content">{children}</main>
    </div>
  )
}
