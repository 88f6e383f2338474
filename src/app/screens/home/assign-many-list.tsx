import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useTranslation, type Translation } from '#app/i18n/use-translation.ts'
import type { AssignLine } from '#app/offline/assign-draft.ts'
import { Button } from '#app/ui/button.tsx'
import type { AddressVerdict } from '#contract/rules/addresses.ts'
import type { ListedAddress } from './assign-many-lines.ts'
import { possibleFromWords } from './token-trouble.ts'
import type { AssignMany, AssignRun } from './use-assign-many.ts'

/** Each address with what becomes of it, in words. */
export function AssignManyList({ many, listed }: { many: AssignMany; listed: readonly ListedAddress[] }) {
  const { t } = useTranslation(['home', 'errors'])
  const { unavailable, whenReachable } = useOnlineOnly()
  return (
    <ol className="token-addresses" aria-label={t('AssignManyLines')}>
      {listed.map((one, at) => (
        // Two lines may be alike, and none moves but by typing.
        // eslint-disable-next-line react/no-array-index-key
        <li key={at} className={toneOf(one)}>
          <span className="token-address">{one.text}</span>
          <span className="token-verdict">{wordsOf(one, many.run, t)}</span>
          {one.verdict === 'ready' && one.line && !many.run && (
            <Button
              look="quiet"
              unavailable={unavailable}
              isReasonShown={false}
              aria-label={t('AssignManyRetry', { email: one.text })}
              onClick={() => whenReachable(() => void many.send([one.account]))}
            >
              {t('TryAgain')}
            </Button>
          )}
        </li>
      ))}
    </ol>
  )
}

function toneOf({ verdict, line }: ListedAddress): string {
  if (verdict === 'sent') return 'is-done'
  if (verdict === 'ready') return line ? 'waits' : ''
  return verdict === 'duplicate' ? '' : 'is-refused'
}

const WORDS = {
  ready: 'AddressReady',
  noToken: 'AddressNoToken',
  sent: 'AddressSent',
  allocated: 'AddressAllocated',
  own: 'AddressOwn',
  duplicate: 'AddressDuplicate',
} as const satisfies Partial<Record<AddressVerdict, string>>

function wordsOf({ verdict, fault, line, account }: ListedAddress, run: AssignRun | undefined, t: Translation['t']): string {
  if (verdict === 'invalid') return t(`AddressFault${fault}`)
  const isTried = verdict === 'ready' || verdict === 'refused'
  const isOfRun = run !== undefined && line !== undefined && line.at >= run.startedAt
  if (verdict === 'ready' && run?.accounts.has(account) && !isOfRun) return t('AddressWaiting')
  if (isTried && line?.outcome === 'unknown') return t(isOfRun ? 'AddressSending' : 'AddressUnknown')
  if (isTried && line && line.outcome !== 'sent') return notSent(line, t)
  return t(verdict === 'refused' ? 'AddressNotSentNoReason' : WORDS[verdict])
}

/** The refusal's own words, else that it did not work. */
function notSent({ code, until }: AssignLine, t: Translation['t']): string {
  const words = t('AddressNotSent', { reason: t([`errors:${code}`, 'home:AddressNotSentNoReason']) })
  return until === undefined ? words : `${words} ${possibleFromWords(until)}`
}
