import * as z from 'zod/mini'
import { ApiError } from '#app/api/api-error.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { DetailsForm } from '#app/parts/details/details-form.tsx'
import { TextControl } from '#app/parts/details/form-controls.tsx'
import { requiredText } from '#contract/rules/fields.ts'
import { Submitted } from '../../form.tsx'
import { SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

const details = z.object({ firstName: requiredText('FirstNameRequired') })
type Details = z.input<typeof details>

function FirstName({ form, onSend }: { form: string; onSend: (given: Details) => Promise<Details> }) {
  const { t } = useTranslation('details')
  return (
    <DetailsForm
      schema={details}
      start={{ values: { firstName: SOMEBODY.firstName ?? '' } }}
      draftPlace={{ form, owner: SOMEBODY.userId, isForADay: true }}
      submitLabel={t('Save')}
      busyLabel={t('Saving')}
      offlineReason={t('SaveNeedsConnection')}
      failure="details:ProfileNotSaved"
      onSend={async (given) => ({ stored: { values: await onSend(given) }, isSaved: true })}
    >
      <TextControl name="firstName" label={t('FirstName')} isMandatory />
    </DetailsForm>
  )
}

const never = () => new Promise<Details>(() => undefined)
const refuse = () => Promise.reject(new ApiError({ kind: 'TIMEOUT_ERROR' }))

export const states: States = {
  Default: () => <FirstName form="gallery" onSend={(given) => Promise.resolve(given)} />,
  Busy: () => (
    <Submitted>
      <FirstName form="gallery-busy" onSend={never} />
    </Submitted>
  ),
  Error: () => (
    <Submitted>
      <FirstName form="gallery-refused" onSend={refuse} />
    </Submitted>
  ),
}
