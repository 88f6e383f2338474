/** /auth/login: a player's e-mail address, to which a code is sent. LOGIN-1 to LOGIN-6 */
import './auth.css'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link, useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useErasedText } from '#app/parts/use-erased-text.ts'
import { SettingsLink } from '#app/parts/person/settings-link.tsx'
import { paths } from '#app/paths.ts'
import { readChallenge, readTypedEmail, storeTypedEmail } from '#app/session/challenge.ts'
import { endedUserId } from '#app/session/ended-session.ts'
import { readTarget } from '#app/session/return-to.ts'
import type { LoginState } from '#app/session/session.ts'
import { useIsLeftClosed, useIsLeftOpen } from '#app/session/use-left-accounts.ts'
import { useOnDemand } from '#app/ui/browser/on-demand.ts'
import { PlainTextField } from '#app/ui/forms/plain-text-field.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { cleanEmail, isEmail } from '#contract/rules/email.ts'
import { ForGuests } from './for-guests.tsx'
import { loadWaitsHere } from './on-demand.ts'
import { useSignIn } from './use-sign-in.ts'
import { WhereNotKept } from './where-not-kept.tsx'

/** Why nobody is signed in any more, as far as it is known. */
function useEndedText({ ended, endedUserId }: LoginState): string | undefined {
  const { t } = useTranslation('shell')
  const erasedText = useErasedText()
  const isClosed = useIsLeftClosed(endedUserId)
  if (erasedText !== undefined) return erasedText
  if (ended === 'closed') return t('AccountClosed')
  return ended && t(isClosed ? 'AccountClosedElsewhere' : 'SessionEnded')
}

/** The state of an entry to which somebody comes back by the history: once somebody has signed in or out since, its session's end is no news. */
function stateOf(state: LoginState | null): LoginState | null {
  const isOver = state?.endedUserId !== undefined && state.endedUserId !== endedUserId()
  return isOver ? { ...state, ended: undefined } : state
}

/** A closing whose reply was lost was not done if the server says that the account is open. */
function useLoginState(): LoginState | null {
  const [path, navigate] = useLocation()
  const state = stateOf(useHistoryState<LoginState | null>())
  const isOpen = useIsLeftOpen(state?.endedUserId)
  const isNotClosed = state?.ended === 'closed' && isOpen
  const endedUser = state?.endedUserId

  useEffect(() => {
    // a reload shows the same
    if (isNotClosed) navigate(path, { replace: true, state: { ended: 'ended', endedUserId: endedUser } satisfies LoginState })
  }, [isNotClosed, endedUser, path, navigate])

  return state
}

export default function LoginScreen() {
  return (
    <ForGuests>
      <EmailEntry />
    </ForGuests>
  )
}

function EmailEntry() {
  const { t } = useTranslation(['auth', 'shell'])
  const { start: signIn, isSending, failure } = useSignIn()
  const state = useLoginState()
  const endedText = useEndedText(state ?? {})
  const field = useRef<HTMLInputElement>(null)
  // asked for, or signed out by the server, now or before this page, with answers that may not have been sent
  const saysWhatWaits = state?.ended === 'ended' || endedUserId() !== undefined || readTarget() === paths.device()
  const waitsHere = useOnDemand(loadWaitsHere, saysWhatWaits)
  // filled in again for somebody who comes back, also after the browser was killed
  const [email, setEmail] = useState(() => state?.email ?? readTypedEmail() ?? readChallenge()?.email ?? '')
  const [isInvalid, setIsInvalid] = useState(false)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const cleaned = cleanEmail(email)
    const isValid = isEmail(cleaned)
    setIsInvalid(!isValid)
    if (isValid) void signIn({ email: cleaned, userTypeCode: 'player' })
    else field.current?.focus()
  }

  return (
    <div className="auth">
      <Page title={t('LoginTitle')} intro={t('LoginIntro')}>
        <p role="status" className={endedText && 'notice'}>
          {endedText}
        </p>
        {waitsHere && waitsHere !== 'lost' && <waitsHere.WaitsHere />}
        <WhereNotKept />
        <form className="stack" noValidate onSubmit={submit}>
          <PlainTextField
            ref={field}
            label={t('Email')}
            hint={t('SecureCodeNote')}
            error={isInvalid ? t('LoginEmailInvalid') : undefined}
            isMandatory
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value)
              storeTypedEmail(event.target.value)
              setIsInvalid(false)
            }}
          />
          {failure && <p className="field-error">{failure}</p>}
          <div>
            <OnlineOnlyButton type="submit" variant="primary" isWide isBusy={isSending}>
              {t(isSending ? 'SendingCode' : 'SendCode')}
            </OnlineOnlyButton>
          </div>
          <p className="auth-terms">
            <span>{t('TermsNote')}</span>
            <SettingsLink to="terms">{t('Terms')}</SettingsLink>
            <SettingsLink to="privacy">{t('Privacy')}</SettingsLink>
          </p>
        </form>
        <div className="auth-links">
          <Link href={paths.onboard()} className="button">
            {t('RegisterAsCoach')}
          </Link>
          <SettingsLink to="contact">{t('TroubleLoggingIn')}</SettingsLink>
        </div>
      </Page>
    </div>
  )
}
