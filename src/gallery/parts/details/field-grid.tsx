import { useTranslation } from '#app/i18n/use-translation.ts'
import { FieldGrid } from '#app/parts/details/field-grid.tsx'
import { PlainTextField } from '#app/ui/forms/plain-text-field.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return (
      <FieldGrid>
        <PlainTextField label={t('FirstName')} />
        <PlainTextField label={t('LastName')} />
        <PlainTextField label={t('ClubName')} />
      </FieldGrid>
    )
  },
}
