import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'

export interface Crumb {
  label: string
  /** absent for the current page */
  href?: string
}

export function Breadcrumbs({ items }: { items: readonly Crumb[] }) {
  const { t } = useTranslation('ui')
  return (
    <nav className="breadcrumbs" aria-label={t('Breadcrumbs')}>
      <ol>
        {items.map(({ label, href }) => (
          <li key={label}>{href ? <Link href={href}>{label}</Link> : <span aria-current="page">{label}</span>}</li>
        ))}
      </ol>
    </nav>
  )
}
