/** /auth/otp: entering the eight-digit code. LOGIN-7 to LOGIN-12 */
import './auth.css'
import { useEffect, useRef, useState } from 'react'
import type { MouseEvent } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { network, onReachable, probe } from '#app/api/network.ts'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { OtpSlots } from '#app/parts/steps/otp-slots.tsx'
import { SettingsLink } from '#app/parts/person/settings-link.tsx'
import { paths } from '#app/paths.ts'
import { maskEmail, readChallenge, readTypedCode, storeTypedCode } from '#app/session/challenge.ts'
import type { LoginState } from '#app/session/session.ts'
import { useOnDemand } from '#app/ui/browser/on-demand.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Page } from '#app/ui/layout/page.tsx'
import { CODE_MINUTES, ONE_TIME_CODE_LENGTH } from '#contract/constants.ts'
import { beginsNewCode } from './begins-new-code.ts'
import { ForGuests } from './for-guests.tsx'
import { loadNewCode } from './on-demand.ts'
import type { OtpState } from './use-sign-in.ts'
import { useVerification } from './use-verification.ts'
import { WhereNotKept } from './where-not-kept.tsx'

/** Without a target in the settings, Contact us only writes to the console. LOGIN-9 */
function logContactUs(event: MouseEvent): void {
  event.preventDefault()
  console.log('Contact us')
}

export default function OtpScreen() {
  // a new code starts from the beginning, but for what was typed of it before the reply came: its mail may be faster
  const [{ round, typed }, setRound] = useState<{ round: number; typed?: string }>({ round: 0 })
  return (
    <ForGuests>
      <CodeEntry key={round} typed={typed} onNewCode={(typed) => setRound({ round: round + 1, typed })} />
    </ForGuests>
  )
}

interface CodeEntryProps {
  /** of this code, before it was known to be sent */
  typed: string | undefined
  onNewCode: (typed: string) => void
}

function CodeEntry({ typed, onNewCode }: CodeEntryProps) {
  const { t } = useTranslation('auth')
  const { unavailable, whenReachable } = useOnlineOnly()
  const [challenge] = useState(readChallenge)
  const [restored] = useState(() => typed ?? (challenge ? readTypedCode(challenge) : ''))
  const [code, showCode] = useState(restored)
  /** what is in the field now, for a tap that waits until the connection was checked */
  const latest = useRef(restored)
  /** a new code is being asked for; `typed`: of that code, undefined while digits of the last one are in the field */
  const asking = useRef<{ typed: string | undefined }>(undefined)
  /** a new code is verified once its sign-in is known */
  const [isHeld, setIsHeld] = useState(false)
  const setCode = (next: string) => {
    if (asking.current && (asking.current.typed !== undefined || beginsNewCode(latest.current, next))) {
      asking.current.typed = next
      setIsHeld(true)
    }
    latest.current = next
    showCode(next)
  }
  const { verify, isVerifying, failure, forgetFailure, startOver } = useVerification({
    asked: challenge,
    onWrong: () => setCode(''),
  })
  const isSameCode = useHistoryState<OtpState | null>()?.isSameCode === true
  const isWhole = code.length === ONE_TIME_CODE_LENGTH
  const isUsed = failure?.kind === 'used'
  const isSpent = failure?.kind === 'spent' || isUsed
  const newCode = useOnDemand(loadNewCode, isUsed || challenge?.isTried === true)

  useEffect(() => {
    if (!challenge) startOver()
    // oxlint-disable-next-line react/exhaustive-deps -- only on arrival
  }, [])

  useEffect(() => {
    if (!challenge) return
    storeTypedCode(challenge, code)
    // whoever leaves the screen has given the code up
    return () => storeTypedCode(challenge, '')
  }, [challenge, code])

  // submits once all slots are filled (LOGIN-7); offline, as soon as the API can be reached again
  useEffect(() => {
    if (!isWhole || isHeld) return
    let isShown = true
    // a page that was just loaded does not know yet whether it is
    if (network.isReachable() && code !== restored) void verify(code)
    else void probe().then((isReachable) => (isReachable && isShown ? verify(code) : undefined))
    const stop = onReachable(() => void verify(code))
    return () => {
      isShown = false
      stop()
    }
    // oxlint-disable-next-line react/exhaustive-deps -- verify is a new function in every render: only a new code submits
  }, [code, isHeld])

  const verifyAgain = () => {
    if (latest.current.length === ONE_TIME_CODE_LENGTH && asking.current?.typed === undefined) void verify(latest.current)
  }

  if (!challenge) return null
  const sent = isSameCode ? 'OtpIntroSameCode' : 'OtpIntro'
  const intro = isSpent ? undefined : t(challenge.isTried ? 'OtpTried' : sent, { email: maskEmail(challenge.email) })
  const undecided = failure?.kind === 'undecided' ? failure.text : undefined
  /** for whom this code does not work, or has not come */
  const links = () => {
    if (failure?.playerEmail !== undefined) return <PlayerAddressActions email={failure.playerEmail} />
    if (newCode && newCode !== 'lost') {
      return (
        <>
          <newCode.NewCode
            email={challenge.email}
            onAsked={() => {
              const isEmpty = latest.current === ''
              asking.current = { typed: isEmpty ? '' : undefined }
              setIsHeld(isEmpty)
            }}
            onSent={() => onNewCode(asking.current?.typed ?? '')}
            onNotSent={() => {
              asking.current = undefined
              setIsHeld(false)
            }}
          />
          {/* on a shared tablet the next person is led here, too */}
          <p>
            <Link href={paths.login()}>{t('UseOtherAddress')}</Link>
          </p>
        </>
      )
    }
    if (isSpent) {
      return (
        <Link href={paths.login()} className="button button-primary">
          {t('ResendCode')}
        </Link>
      )
    }
    return (
      <p>
        {t('NoCode')} <Link href={paths.login()}>{t('ResendCode')}</Link>
      </p>
    )
  }
  return (
    <div className="auth">
      <Page title={t('OtpTitle')} intro={intro}>
        <div className="stack">
          <OtpSlots
            label={t('OtpLabel', { count: ONE_TIME_CODE_LENGTH })}
            hint={isSpent ? undefined : t('OtpLife', { count: CODE_MINUTES })}
            error={failure && failure.kind !== 'undecided' ? failure.text : undefined}
            value={code}
            isVerifying={isVerifying}
            onChange={(typed) => {
              setCode(typed)
              // stays if no other code can succeed
              if (typed !== '' && !isSpent) forgetFailure()
            }}
          />
          <p role="status" className="otp-status">
            {isVerifying && (
              <>
                <span className="spinner" /> {t('Verifying')}
              </>
            )}
            {unavailable ?? (isWhole && isHeld ? t('CodeWaits') : undecided)}
          </p>
          <WhereNotKept />
          {isWhole && !isVerifying && !isHeld && <Button onClick={() => whenReachable(verifyAgain)}>{t('VerifyAgain')}</Button>}
        </div>
        <div className="auth-links">
          {links()}
          <SettingsLink
            to="contact"
            otherwise={
              <a href="#" onClick={logContactUs}>
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

/** A player's address cannot register as a coach: sign in as a player, or use another address. */
function PlayerAddressActions({ email }: { email: string }) {
  const { t } = useTranslation('auth')
  return (
    <>
      <Link href={paths.login()} state={{ email } satisfies LoginState} className="button button-primary">
        {t('SignInAsPlayer')}
      </Link>
      <Link href={paths.onboard()} className="button">
        {t('UseOtherAddress')}
      </Link>
    </>
  )
}
