import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button, type ButtonProps } from '#app/ui/forms/button.tsx'
import type { States } from '../../states.ts'

function Save(props: ButtonProps) {
  const { t } = useTranslation('details')
  return <Button {...props}>{t('Save')}</Button>
}

export const states: States = {
  Default: () => <Save />,
  Primary: () => <Save variant="primary" />,
  Quiet: () => <Save variant="quiet" />,
  Dangerous: () => <Save variant="danger" />,
  Busy: () => <Save variant="primary" isBusy />,
  Disabled: function Disabled() {
    const { t } = useTranslation('details')
    return <Save variant="primary" unavailable={t('SaveNeedsConnection')} />
  },
  LongWords: function LongWords() {
    const { t } = useTranslation('details')
    return (
      <Button variant="primary" isWide>
        {t('ConfirmDetailsSubmit')}
      </Button>
    )
  },
}
