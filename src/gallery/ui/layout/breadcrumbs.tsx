import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import { Breadcrumbs } from '#app/ui/layout/breadcrumbs.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return <Breadcrumbs items={[{ label: t('home:HomeTitle'), href: paths.home() }, { label: t('ConfirmDetailsTitle') }]} />
  },
  LongWords: function LongWords() {
    const { t } = useTranslation('details')
    return <Breadcrumbs items={[{ label: t('ConfirmDetailsSubmit'), href: paths.home() }, { label: t('ConfirmDetailsBrief') }]} />
  },
}
