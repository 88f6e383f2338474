import { useTranslation } from '#app/i18n/use-translation.ts'
import { FieldGrid } from '#app/parts/field-grid.tsx'
import { PlainTextField } from '#app/ui/form-field.tsx'
import type { States } from '../states.ts'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('parts')
    return (
      <FieldGrid>
        <PlainTextField label={t('FirstName')} />
        <PlainTextField label={t('LastName')} />
        <PlainTextField label={t('ClubName')} />
      </FieldGrid>
    )
  },
}
