/** /auth/onboard: a coach's registration; the code screen follows, as for a player. ONBOARD-1 to ONBOARD-5 */
import './auth.css'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import * as z from 'zod/mini'
import { fieldErrorsOf } from '#app/api/message-for.ts'
import { DetailsForm } from '#app/parts/details/details-form.tsx'
import { FieldGrid } from '#app/parts/details/field-grid.tsx'
import { PersonalFields } from '#app/parts/details/personal-fields.tsx'
import { personalShape } from '#app/parts/details/player-details.ts'
import { paths } from '#app/paths.ts'
import { storeCoachOnboarding, readCoachOnboarding } from '#app/session/coach-onboarding.ts'
import { BackIcon } from '#app/ui/layout/icons.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { ForGuests } from './for-guests.tsx'
import { useSignIn } from './use-sign-in.ts'
import { WhereNotKept } from './where-not-kept.tsx'

const onboarding = z.object(personalShape)
type Onboarding = z.output<typeof onboarding>

/** What was typed before, for somebody who comes back to correct it. */
function startValues(): Onboarding {
  const { firstName = '', lastName = '', email = '', country = '', city = '' } = readCoachOnboarding() ?? {}
  return { firstName, lastName, email, countryId: country, cityId: city }
}

export default function OnboardScreen() {
  return (
    <ForGuests>
      <Registration />
    </ForGuests>
  )
}

function Registration() {
  const { t } = useTranslation('auth')
  const [start] = useState(startValues)
  const { start: signIn, failure } = useSignIn()
  const [isAtField, setIsAtField] = useState(false)

  const register = async ({ countryId, cityId, ...person }: Onboarding) => {
    const data = { ...person, country: countryId, city: cityId }
    storeCoachOnboarding(data)
    const started = await signIn({ ...data, userTypeCode: 'coach' })
    const error = started.isSent ? undefined : started.error
    const namesField = Object.keys(fieldErrorsOf(error)).length > 0
    setIsAtField(namesField)
    if (namesField) throw error
    return undefined
  }

  return (
    <div className="auth">
      <Page title={t('OnboardTitle')} intro={t('OnboardMandatory')} back={<BackToSignIn />}>
        <WhereNotKept />
        <DetailsForm
          schema={onboarding}
          start={{ values: start }}
          draftPlace={{ form: 'onboarding', owner: 'guest', isForADay: true }}
          submitLabel={t('OnboardSubmit')}
          busyLabel={t('OnboardSubmitting')}
          offlineReason={t('OnboardOffline')}
          failure="ui:UnexpectedError"
          fieldOnScreen={(field) => ({ country: 'countryId', city: 'cityId' })[field] ?? field}
          onSend={register}
        >
          <FieldGrid>
            <PersonalFields isEmailFixed={false} emailHint={t('OnboardEmailHint')} />
          </FieldGrid>
          {failure && !isAtField && <p className="field-error">{failure}</p>}
        </DetailsForm>
      </Page>
    </div>
  )
}

/** Stands above the title: between the intro and the form it would be tapped first. */
function BackToSignIn() {
  const { t } = useTranslation('auth')
  return (
    <div>
      <Link href={paths.login()} className="button button-quiet auth-back">
        <BackIcon />
        {t('OnboardBack')}
      </Link>
    </div>
  )
}
