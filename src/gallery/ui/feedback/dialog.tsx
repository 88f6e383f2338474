import { useTranslation } from '#app/i18n/use-translation.ts'
import { Dialog } from '#app/ui/feedback/dialog.tsx'
import type { States } from '../../states.ts'
import { Revealed } from '../../revealed.tsx'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return (
      <Revealed>
        {(hide) => (
          <Dialog isOpen title={t('ConfirmDetailsTitle')} onClose={hide}>
            <p>{t('ConfirmDetailsBrief')}</p>
          </Dialog>
        )}
      </Revealed>
    )
  },
}
