import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { DialogBody } from '#app/ui/feedback/dialog-body.tsx'
import type { States } from '../../states.ts'
import { Revealed } from '../../revealed.tsx'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return (
      <Revealed>
        {(hide) => (
          <DialogBody isOpen title={t('ConfirmDetailsTitle')} onClose={hide} actions={<Button onClick={hide}>{t('ui:Close')}</Button>}>
            <p>{t('ConfirmDetailsBrief')}</p>
          </DialogBody>
        )}
      </Revealed>
    )
  },
}
