/** /auth/otp: the eight-slot code. §2, §4 Sign-in, §5 One-time code. */
import './auth.css'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { messageFor } from '#app/api/message-for.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useSend } from '#app/api/use-send.ts'
import { paths } from '#app/paths.ts'
import { forgetChallenge, maskEmail, readChallenge } from '#app/session/challenge.ts'
import { takeTarget } from '#app/session/return-to.ts'
import { begin } from '#app/session/session.ts'
import { Button } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import { errorToast } from '#app/ui/toast.ts'
import { auth } from '#contract/auth.ts'
import { CODE_MINUTES, ONE_TIME_CODE_LENGTH } from '#contract/constants.ts'
import { OtpSlots } from './otp-slots.tsx'
import { PlaceholderLink } from './placeholder-link.tsx'

export default function OtpScreen() {
  const { t } = useTranslation('auth')
  const [, navigate] = useLocation()
  const { send, isSending } = useSend(auth.verifyOtp)
  const { unavailable, whenReachable } = useOnlineOnly()
  const [code, setCode] = useState('')
  const [challenge] = useState(readChallenge)

  function startOver(): void {
    errorToast(t('SessionExpired'))
    navigate(paths.login(), { replace: true })
  }

  useEffect(() => {
    if (!challenge) startOver()
    // Looked at once, on arrival.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  async function verify(otp: string): Promise<void> {
    // Another tab may have used it up meanwhile.
    const underWay = readChallenge()
    if (!underWay) return startOver()
    try {
      const credentials = await send({ body: { session: underWay.session, email: underWay.email, otp } })
      await begin(credentials)
      forgetChallenge()
      navigate(takeTarget(), { replace: true })
    } catch (error) {
      errorToast(messageFor(error))
      setCode('')
    }
  }

  if (!challenge) return null
  return (
    <Page title={t('OtpTitle')} intro={t('OtpIntro', { email: maskEmail(challenge.email) })}>
      <div className="card stack">
        <OtpSlots
          label={t('OtpLabel', { count: ONE_TIME_CODE_LENGTH })}
          hint={t('OtpLife', { count: CODE_MINUTES })}
          value={code}
          isVerifying={isSending}
          onChange={setCode}
          onComplete={(otp) => whenReachable(() => void verify(otp))}
        />
        <p role="status" className="otp-status">
          {isSending && (
            <>
              <span className="spinner" /> {t('Verifying')}
            </>
          )}
          {unavailable}
        </p>
        {unavailable !== undefined && code.length === ONE_TIME_CODE_LENGTH && (
          <Button onClick={() => whenReachable(() => void verify(code))}>{t('VerifyAgain')}</Button>
        )}
      </div>
      <div className="auth-links">
        <p>
          {t('NoCode')} <Link href={paths.login()}>{t('ResendCode')}</Link>
        </p>
        {/* §2: only writes to the console. */}
        <PlaceholderLink onFollow={() => console.log('Contact us')}>{t('ContactUs')}</PlaceholderLink>
      </div>
    </Page>
  )
}
