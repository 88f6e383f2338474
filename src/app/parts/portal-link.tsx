import { Link } from 'wouter'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'

/** "Open Touchline": the way on from a public screen, for guests as for those signed in. An installed app has no Back of a browser. */
export function PortalLink() {
  const { t } = useTranslation('shell')
  return (
    <div>
      <Link href={paths.home()} className="button">
        {t('OpenPortal')}
      </Link>
    </div>
  )
}
