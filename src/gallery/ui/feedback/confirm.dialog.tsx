import { useTranslation } from '#app/i18n/use-translation.ts'
import { ConfirmDialog } from '#app/ui/feedback/confirm.dialog.tsx'
import type { States } from '../../states.ts'
import { Revealed } from '../../revealed.tsx'

interface Props {
  isDestructive?: boolean
  isBusy?: boolean
  unavailable?: string
  text?: string
}

function Opened({ text, ...props }: Props) {
  const { t } = useTranslation('details')
  return (
    <Revealed>
      {(hide) => (
        <ConfirmDialog {...props} isOpen title={t('ConfirmDetailsTitle')} confirmLabel={t('Save')} onConfirm={hide} onClose={hide}>
          <p>{text ?? t('DraftRestored')}</p>
        </ConfirmDialog>
      )}
    </Revealed>
  )
}

export const states: States = {
  Default: () => <Opened />,
  Dangerous: () => <Opened isDestructive />,
  Disabled: function Disabled() {
    const { t } = useTranslation('details')
    return <Opened unavailable={t('SaveNeedsConnection')} />
  },
  LongWords: function LongWords() {
    const { t } = useTranslation('details')
    return <Opened text={Array.from({ length: 20 }, () => t('ConfirmDetailsBrief')).join(' ')} />
  },
}
