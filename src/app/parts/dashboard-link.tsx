import { Link } from 'wouter'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import type { ButtonProps } from '#app/ui/forms/button.tsx'

/** "Return to dashboard". Its text is the frame's, which every screen has loaded. */
export function DashboardLink({ variant = 'plain' }: Pick<ButtonProps, 'variant'>) {
  const { t } = useTranslation('shell')
  return (
    <Link href={paths.home()} className={`button button-${variant}`}>
      {t('ReturnToDashboard')}
    </Link>
  )
}
