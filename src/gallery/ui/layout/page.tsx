import { useTranslation } from '#app/i18n/use-translation.ts'
import { paths } from '#app/paths.ts'
import { Page } from '#app/ui/layout/page.tsx'
import type { States } from '../../states.ts'
import { Revealed } from '../../revealed.tsx'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return (
      <Revealed>
        {() => (
          <Page
            title={t('ConfirmDetailsTitle')}
            intro={t('ConfirmDetailsBrief')}
            breadcrumbs={[{ label: t('home:HomeTitle'), href: paths.home() }, { label: t('ConfirmDetailsTitle') }]}
          >
            <p>{t('NoTeams')}</p>
          </Page>
        )}
      </Revealed>
    )
  },
  LongWords: function LongWords() {
    const { t } = useTranslation('details')
    return (
      <Revealed>
        {() => (
          <Page title={t('ConfirmDetailsSubmit')}>
            <p>{t('NoTeams')}</p>
          </Page>
        )}
      </Revealed>
    )
  },
}
