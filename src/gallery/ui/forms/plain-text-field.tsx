import { useTranslation } from '#app/i18n/use-translation.ts'
import { PlainTextField } from '#app/ui/forms/plain-text-field.tsx'
import { LONG_EMAIL, SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return <PlainTextField label={t('Email')} hint={t('EmailFixed')} isMandatory />
  },
  Filled: function Filled() {
    const { t } = useTranslation('details')
    return <PlainTextField label={t('Email')} defaultValue={SOMEBODY.email} />
  },
  ReadOnly: function ReadOnly() {
    const { t } = useTranslation('details')
    return <PlainTextField label={t('Email')} defaultValue={SOMEBODY.email} readOnly />
  },
  Error: function Broken() {
    const { t } = useTranslation('details')
    return <PlainTextField label={t('Email')} error={t('fields:EmailInvalid')} defaultValue={SOMEBODY.firstName ?? ''} />
  },
  LongWords: function LongWords() {
    const { t } = useTranslation('details')
    return <PlainTextField label={t('ConfirmDetailsSubmit')} defaultValue={LONG_EMAIL} />
  },
}
