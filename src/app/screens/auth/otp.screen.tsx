/** /auth/otp: the eight-slot code. §2, §4 Sign-in, §5 One-time code. */
import './auth.css'
import { useEffect, useRef, useState } from 'react'
import type { MouseEvent } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link, useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { isApiError } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { probe } from '#app/api/network.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useSend } from '#app/api/use-send.ts'
import { OtpSlots } from '#app/parts/otp-slots.tsx'
import { SettingsLink } from '#app/parts/settings-link.tsx'
import { paths } from '#app/paths.ts'
import { forgetChallenge, maskEmail, readChallenge } from '#app/session/challenge.ts'
import { keepKnownDevice } from '#app/session/known-devices.ts'
import { takeTarget } from '#app/session/return-to.ts'
import { begin, session } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { errorToast } from '#app/ui/toast.ts'
import { auth } from '#contract/auth.ts'
import { CODE_MINUTES, ONE_TIME_CODE_LENGTH } from '#contract/constants.ts'
import { ForGuests } from './for-guests.tsx'
import type { OtpState } from './use-sign-in.ts'

/** §2: only writes to the console, where the settings name no target. */
function contactUs(event: MouseEvent): void {
  event.preventDefault()
  console.log('Contact us')
}

export default function OtpScreen() {
  return (
    <ForGuests>
      <CodeEntry />
    </ForGuests>
  )
}

function CodeEntry() {
  const { t } = useTranslation('auth')
  const [, navigate] = useLocation()
  const { send } = useSend(auth.verifyOtp)
  const { unavailable, whenReachable } = useOnlineOnly()
  const [code, setCode] = useState('')
  const [isVerifying, setIsVerifying] = useState(false)
  const [challenge] = useState(readChallenge)
  const isSameCode = useHistoryState<OtpState | null>()?.isSameCode === true
  const isWhole = code.length === ONE_TIME_CODE_LENGTH
  // the tap and the return of the connection may come together: one guess
  const isUnderWay = useRef(false)

  function startOver(): void {
    // Where another tab has signed in, the sign-in leads home.
    if (session.get().status === 'guest') errorToast(t('SessionExpired'))
    navigate(paths.login(), { replace: true })
  }

  useEffect(() => {
    if (!challenge) startOver()
    // Looked at once, on arrival.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  async function verify(otp: string): Promise<void> {
    if (isUnderWay.current) return
    // Another tab may have used it up meanwhile.
    const underWay = readChallenge()
    if (!underWay) return startOver()
    isUnderWay.current = true
    setIsVerifying(true)
    try {
      const credentials = await send({ body: { session: underWay.session, email: underWay.email, otp } })
      await begin(credentials)
      keepKnownDevice(credentials.deviceSecret)
      forgetChallenge()
      navigate(takeTarget(), { replace: true })
    } catch (error) {
      // The code was right and is spent: what is left of this sign-in leads nowhere (ruling 7)
      if (isApiError(error) && error.code === 'USER_TYPE_MISMATCH') forgetChallenge()
      errorToast(messageFor(error))
      setCode('')
      setIsVerifying(false)
      isUnderWay.current = false
    }
  }

  // §2: by itself once all are filled; without the API as soon as it answers
  useEffect(() => {
    if (!isWhole) return
    if (unavailable === undefined) void verify(code)
    else void probe()
    // The code and the connection are what starts it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [code, unavailable])

  if (!challenge) return null
  return (
    <div className="auth">
      <Page title={t('OtpTitle')} intro={t(isSameCode ? 'OtpIntroSameCode' : 'OtpIntro', { email: maskEmail(challenge.email) })}>
        <div className="stack">
          <OtpSlots
            label={t('OtpLabel', { count: ONE_TIME_CODE_LENGTH })}
            hint={t('OtpLife', { count: CODE_MINUTES })}
            value={code}
            isVerifying={isVerifying}
            onChange={setCode}
          />
          <p role="status" className="otp-status">
            {isVerifying && (
              <>
                <span className="spinner" /> {t('Verifying')}
              </>
            )}
            {unavailable}
          </p>
          {isWhole && !isVerifying && <Button onClick={() => whenReachable(() => void verify(code))}>{t('VerifyAgain')}</Button>}
        </div>
        <div className="auth-links">
          <p>
            {t('NoCode')} <Link href={paths.login()}>{t('ResendCode')}</Link>
          </p>
          <SettingsLink
            to="contact"
            otherwise={
              <a href="#" onClick={contactUs}>
                {t('ContactUs')}
              </a>
            }
          >
            {t('ContactUs')}
          </SettingsLink>
        </div>
      </Page>
    </div>
  )
}
