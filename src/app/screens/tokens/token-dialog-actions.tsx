import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/button.tsx'

interface Props {
  isSending: boolean
  submitLabel: string
  onCancel: () => void
}

/** The end of a form that sends one thing: while it is on its way, it is not cancelled. */
export function TokenDialogActions({ isSending, submitLabel, onCancel }: Props) {
  const { t } = useTranslation('ui')
  return (
    <div className="token-dialog-actions">
      <Button aria-disabled={isSending || undefined} onClick={() => !isSending && onCancel()}>
        {t('Cancel')}
      </Button>
      <div>
        <OnlineOnlyButton type="submit" look="primary" isBusy={isSending}>
          {submitLabel}
        </OnlineOnlyButton>
      </div>
    </div>
  )
}
