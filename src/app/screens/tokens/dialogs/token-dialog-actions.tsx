import './dialogs.css'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'

interface Props {
  isSending: boolean
  submitLabel: string
  onCancel: () => void
}

/** Cancel and submit of a one-field dialog; Cancel is disabled while sending. */
export function TokenDialogActions({ isSending, submitLabel, onCancel }: Props) {
  const { t } = useTranslation('ui')
  return (
    <div className="token-dialog-actions">
      <Button isInert={isSending} onClick={onCancel}>
        {t('Cancel')}
      </Button>
      <div>
        <OnlineOnlyButton type="submit" variant="primary" isBusy={isSending}>
          {submitLabel}
        </OnlineOnlyButton>
      </div>
    </div>
  )
}
