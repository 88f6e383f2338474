import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button, type ButtonProps } from '#app/ui/forms/button.tsx'
import type { States } from '../../states.ts'

function Save(props: ButtonProps) {
  const { t } = useTranslation('details')
  return <Button {...props}>{t('Save')}</Button>
}

export const states: States = {
  Default: () => <Save />,
  Primary: () => <Save look="primary" />,
  Quiet: () => <Save look="quiet" />,
  Dangerous: () => <Save look="danger" />,
  Busy: () => <Save look="primary" isBusy />,
  Disabled: function Disabled() {
    const { t } = useTranslation('details')
    return <Save look="primary" unavailable={t('SaveNeedsConnection')} />
  },
  LongWords: function LongWords() {
    const { t } = useTranslation('details')
    return (
      <Button look="primary" isWide>
        {t('ConfirmDetailsSubmit')}
      </Button>
    )
  },
}
