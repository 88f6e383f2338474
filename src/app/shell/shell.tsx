import './shell.css'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { paths } from '#app/paths.ts'
import { BrandMark } from '#app/ui/layout/brand.tsx'
import { MenuIcon, SidebarIcon } from '#app/ui/layout/icons.tsx'
import { useIsMobile } from '#app/ui/browser/use-is-mobile.ts'
import { AuthenticatingOverlay } from './authenticating-overlay.tsx'
import { ConnectionStrip } from './connection-strip.tsx'
import { DemoRibbon } from './demo-ribbon.tsx'
import { Drawer } from './drawer.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { Sidebar } from './sidebar.tsx'
import { useSidebar } from './sidebar-state.ts'
import { SignOutDialog } from './sign-out.dialog.tsx'
import { UpdatePrompt } from './update-prompt.tsx'

/** The frame of the signed-in screens. SHELL-4 */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell')
  const isMobile = useIsMobile()
  const sidebar = useSidebar(isMobile)
  const [isLeaving, setIsLeaving] = useState(false)
  const signOut = () => {
    sidebar.closeDrawer()
    setIsLeaving(true)
  }

  return (
    <div className="shell" data-sidebar={sidebar.isExpanded ? 'expanded' : 'collapsed'}>
      <a className="skip-link visually-hidden" href="#content">
        {t('SkipToContent')}
      </a>
      {isMobile ? (
        <Drawer isOpen={sidebar.isDrawerOpen} onClose={sidebar.closeDrawer}>
          <Sidebar isExpanded onSignOut={signOut} onFollow={sidebar.closeDrawer} />
        </Drawer>
      ) : (
        <div className="sidebar">
          <Sidebar isExpanded={sidebar.isExpanded} onSignOut={signOut} />
        </div>
      )}
      <div className="shell-body">
        <header className="bar">
          <button
            type="button"
            className="icon-button"
            aria-label={t('ToggleMenu')}
            aria-expanded={isMobile ? sidebar.isDrawerOpen : sidebar.isExpanded}
            aria-keyshortcuts="Control+B Meta+B"
            onClick={sidebar.toggle}
          >
            {isMobile ? <MenuIcon /> : <SidebarIcon />}
          </button>
          {isMobile && (
            <Link href={paths.home()} className="bar-brand">
              <BrandMark size={28} />
              {t('Brand')}
            </Link>
          )}
          <LanguageSwitch />
        </header>
        <ConnectionStrip />
        <UpdatePrompt />
        <main id="content">{children}</main>
        <DemoRibbon />
      </div>
      <AuthenticatingOverlay />
      <SignOutDialog isOpen={isLeaving} onClose={() => setIsLeaving(false)} />
    </div>
  )
}
