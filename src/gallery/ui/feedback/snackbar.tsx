import { useTranslation } from '#app/i18n/use-translation.ts'
import { ToastSnackbar } from '#app/ui/feedback/snackbar.tsx'
import type { States } from '../../states.ts'
import { Revealed } from '../../revealed.tsx'

function ShownSnackbar({ text }: { text: string }) {
  return <Revealed>{() => <ToastSnackbar toast={{ id: 0, text, tone: 'plain', isOpen: true }} />}</Revealed>
}

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation(['details', 'parts'])
    return <ShownSnackbar text={t('ProfileSaved')} />
  },
  LongWords: function LongWords() {
    const { t } = useTranslation(['details', 'parts'])
    return <ShownSnackbar text={t('parts:CannotSendOnPageOnly', { time: '12:40' })} />
  },
}
