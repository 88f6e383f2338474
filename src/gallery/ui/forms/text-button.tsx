import { useTranslation } from '#app/i18n/use-translation.ts'
import { TextButton } from '#app/ui/forms/text-button.tsx'
import type { States } from '../../states.ts'

function Change({ isInert = false }: { isInert?: boolean }) {
  const { t } = useTranslation('tokens')
  return <TextButton isInert={isInert}>{t('AssignChange')}</TextButton>
}

export const states: States = {
  Default: () => <Change />,
  Disabled: () => <Change isInert />,
}
