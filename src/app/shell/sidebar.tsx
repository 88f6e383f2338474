import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link, useLocation } from 'wouter'
import { paths } from '#app/paths.ts'
import { useSession } from '#app/session/use-session.ts'
import { BrandMark } from '#app/ui/layout/brand.tsx'
import { AboutIcon, DeviceIcon, HomeIcon, PersonIcon, SignOutIcon } from '#app/ui/layout/icons.tsx'
import { InstallButton } from './install-prompt.tsx'
import { isActive } from './sidebar-state.ts'

const items = [
  { key: 'MenuHome', url: paths.home(), Icon: HomeIcon },
  { key: 'MenuProfile', url: paths.profile(), Icon: PersonIcon },
  { key: 'MenuAbout', url: paths.about(), Icon: AboutIcon },
] as const

interface SidebarProps {
  /** false: only the icons are visible, with labels for screen readers */
  isExpanded: boolean
  onSignOut: () => void
  /** a link was followed */
  onFollow?: () => void
}

export function Sidebar({ isExpanded, onSignOut, onFollow }: SidebarProps) {
  const { t } = useTranslation('shell')
  const [path] = useLocation()
  const { user } = useSession()
  const labelClass = isExpanded ? '' : 'visually-hidden'
  return (
    <nav className="sidebar-content" aria-label={t('MainMenu')}>
      <span className="sidebar-brand">
        <BrandMark size={28} />
        <span className={labelClass}>{t('Brand')}</span>
      </span>
      <ul>
        {items.map(({ key, url, Icon }) => (
          <li key={key}>
            <Link
              href={url}
              className="sidebar-item"
              aria-current={isActive(path, url) ? 'page' : undefined}
              title={isExpanded ? undefined : t(key)}
              onClick={() => onFollow?.()}
            >
              <Icon />
              <span className={labelClass}>{t(key)}</span>
            </Link>
          </li>
        ))}
        <li>
          <button type="button" className="sidebar-item" title={isExpanded ? undefined : t('MenuSignOut')} onClick={onSignOut}>
            <SignOutIcon />
            <span className={labelClass}>{t('MenuSignOut')}</span>
          </button>
        </li>
      </ul>
      <Link
        href={paths.device()}
        className="sidebar-item sidebar-device"
        aria-current={isActive(path, paths.device()) ? 'page' : undefined}
        title={isExpanded ? undefined : t('MenuDevice')}
        onClick={() => onFollow?.()}
      >
        <DeviceIcon />
        <span className={labelClass}>{t('MenuDevice')}</span>
      </Link>
      <div className={`sidebar-foot ${labelClass}`}>
        <InstallButton />
        <p className="small">{user?.email ?? t('User')}</p>
      </div>
    </nav>
  )
}
