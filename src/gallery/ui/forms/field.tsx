import { useState, type ComponentProps } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { FieldFrame, SelectField, TextField } from '#app/ui/forms/field.tsx'
import { LONG_NAME, SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

type Props = Partial<ComponentProps<typeof TextField>>

function FirstName({ value: start = '', ...rest }: Props) {
  const { t } = useTranslation('details')
  const [value, setValue] = useState(start)
  return (
    <TextField
      {...rest}
      name="firstName"
      label={t('FirstName')}
      value={value}
      onChange={({ target }) => setValue(target.value)}
      onBlur={() => undefined}
    />
  )
}

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return <FirstName isMandatory hint={t('MandatoryFields')} />
  },
  Filled: () => <FirstName value={SOMEBODY.firstName ?? ''} />,
  ReadOnly: () => <FirstName value={SOMEBODY.firstName ?? ''} isReadOnly />,
  Error: function Broken() {
    const { t } = useTranslation('fields')
    return <FirstName isMandatory error={t('FirstNameRequired')} />
  },
  Disabled: function Disabled() {
    const { t } = useTranslation('details')
    return (
      <FieldFrame id="gallery-disabled" label={t('City')} hint={t('CityNeedsCountry')} isDisabled>
        {(describedBy) => <input id="gallery-disabled" className="input" disabled aria-describedby={describedBy} />}
      </FieldFrame>
    )
  },
  Many: function Choices() {
    const { t } = useTranslation('details')
    const [value, setValue] = useState('male')
    return (
      <SelectField
        name="gender"
        label={t('Gender')}
        value={value}
        onChange={({ target }) => setValue(target.value)}
        onBlur={() => undefined}
      >
        <option value="male">{t('GenderMale')}</option>
        <option value="female">{t('GenderFemale')}</option>
      </SelectField>
    )
  },
  LongWords: () => <FirstName value={LONG_NAME} />,
}
