import { useTranslation } from '#app/i18n/use-translation.ts'
import { ConfirmDetails } from '#app/parts/details/confirm-details.tsx'
import { PlayerDetailsForm } from '#app/parts/details/player-details.form.tsx'
import { StepLine } from '#app/parts/steps/step-line.tsx'
import type { States } from '../../states.ts'
import { Reads } from '../../reads.tsx'
import { Revealed } from '../../revealed.tsx'

function Confirm() {
  const { t } = useTranslation('details')
  return (
    <ConfirmDetails
      form={PlayerDetailsForm}
      intro={t('ConfirmDetailsBrief')}
      step={<StepLine way="bought" step="StepDetails" />}
      onSaved={() => undefined}
    />
  )
}

export const states: States = {
  Default: () => (
    <Revealed>
      {() => (
        <Reads>
          <Confirm />
        </Reads>
      )}
    </Revealed>
  ),
  // without `Reads` the server refuses the profile
  Error: () => <Revealed>{() => <Confirm />}</Revealed>,
}
