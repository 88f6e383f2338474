import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { errorToast, toast } from '#app/ui/feedback/toast.ts'
import type { States } from '../../states.ts'

/** main.tsx renders the host, as in the portal: the buttons here only raise toasts. */
export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('gallery')
    return <Button onClick={() => toast(t('details:ProfileSaved'))}>{t('Show')}</Button>
  },
  Error: function Refused() {
    const { t } = useTranslation('gallery')
    return <Button onClick={() => errorToast('details:ProfileNotSaved')}>{t('Show')}</Button>
  },
}
