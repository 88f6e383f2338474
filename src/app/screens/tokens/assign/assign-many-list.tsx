import { useId, useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useTranslation, type Translation } from '#app/i18n/use-translation.ts'
import { formatCount } from '#app/i18n/figures.ts'
import type { AssignLine } from '#app/device/assign-draft.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { TextButton } from '#app/ui/forms/text-button.tsx'
import { withEntry } from '#contract/rules/address-list.ts'
import { suggestAddress } from '#contract/rules/address-typos.ts'
import type { AddressVerdict } from '#contract/rules/addresses.ts'
import { isBeingSent, isOfRun, LINE_VIEWS, linesToShow, type ListedAddress, type LineView } from './assign-many-lines.ts'
import { possibleFromText } from '#app/screens/tokens/token-trouble.ts'
import type { AssignMany, AssignRun } from './use-assign-many.ts'

interface Props {
  list: AssignMany
  addresses: readonly ListedAddress[]
}

/** Each address with its verdict. A long list has buttons to choose which lines are shown. */
export function AssignManyList({ list, addresses }: Props) {
  const { t } = useTranslation('tokens')
  const { draft, isCutShort } = list
  const [wanted, setWanted] = useState<LineView>()
  const [wasCutShort, setWasCutShort] = useState(isCutShort)
  if (isCutShort !== wasCutShort) {
    setWasCutShort(isCutShort)
    // what was chosen before it may not have the lines that say why
    if (isCutShort) setWanted(undefined)
  }
  const { counts, view, shown } = linesToShow(addresses, wanted, { isCutShort, runSince: list.run?.startedAt })
  const shownLines = useRef<HTMLOListElement>(null)
  /** the filter that is always there */
  const showAll = useRef<HTMLButtonElement>(null)
  const corrected = useRef<number>(undefined)
  const retried = useRef<{ line: HTMLElement; place: number }>(undefined)
  useLayoutEffect(() => {
    if (retried.current?.line.isConnected === false) {
      // nothing else has the focus since
      if (document.activeElement === document.body) {
        if (shownLines.current) focusLine(shownLines.current, retried.current.place)
        else showAll.current?.focus()
      }
      retried.current = undefined
    }
    if (corrected.current === undefined) return
    focusLine(shownLines.current, corrected.current)
    corrected.current = undefined
  })
  return (
    <>
      {view && (
        <div className="row" role="group" aria-label={t('AssignManyShow')}>
          {LINE_VIEWS.filter((one) => counts[one] > 0).map((one) => (
            <Button key={one} ref={one === 'all' ? showAll : undefined} aria-pressed={one === view} onClick={() => setWanted(one)}>
              {t(VIEW_KEYS[one], { lines: formatCount(counts[one]) })}
            </Button>
          ))}
        </div>
      )}
      {shown.length > 0 && (
        <ol ref={shownLines} className="token-addresses" aria-label={t('AssignManyLines')}>
          {shown.map(({ address, at }, place) => (
            <AddressLine
              // two lines may be equal; a corrected line starts afresh
              key={`${at} ${address.text}`}
              list={list}
              address={address}
              onCorrect={(written) => {
                corrected.current = place
                if (draft) list.change({ text: withEntry(draft.text, at, written) })
              }}
              onRetry={(line) => {
                if (line) retried.current = { line, place }
                // sending it makes another filter the default
                setWanted(view)
                void list.send([address.account])
              }}
            />
          ))}
        </ol>
      )}
    </>
  )
}

/** The line that was corrected, as its field disappears; the one that is in its place if it is no longer shown. */
function focusLine(list: HTMLElement | null, place: number): void {
  const lines = list?.querySelectorAll('li') ?? []
  lines[Math.min(place, lines.length - 1)]?.focus()
}

const VIEW_KEYS = {
  correct: 'AssignManyShowCorrect',
  retry: 'AssignManyShowRetry',
  check: 'AssignManyShowCheck',
  noToken: 'AssignManyShowNoToken',
  ready: 'AssignManyShowReady',
  sent: 'AssignManyShowSent',
  duplicate: 'AssignManyShowTwice',
  all: 'AssignManyShowAll',
} as const satisfies Record<LineView, string>

interface LineProps {
  list: AssignMany
  address: ListedAddress
  onCorrect: (written: string) => void
  /** with the line's element, if it is still shown */
  onRetry: (line: HTMLElement | null) => void
}

function AddressLine({ list, address, onCorrect, onRetry }: LineProps) {
  const { t } = useTranslation(['tokens', 'home', 'errors'])
  const { unavailable, whenReachable } = useOnlineOnly()
  const verdictId = useId()
  const line = useRef<HTMLLIElement>(null)
  const retry = () => {
    // its button disappears
    if (line.current?.contains(document.activeElement)) line.current.focus()
    onRetry(line.current)
  }
  const suggested = address.verdict === 'ready' ? suggestAddress(address.text) : undefined
  return (
    <li ref={line} tabIndex={-1} className={toneOf(address)}>
      <span className="token-address">
        {address.name !== undefined && <span className="token-name">{address.name}</span>}
        {address.text}
      </span>
      <span id={verdictId} className="token-verdict">
        {textOf(address, list.run, t)}
        {suggested !== undefined && !list.run && (
          <TextButton onClick={() => onCorrect(suggested)}>{t('AddressSlip', { email: suggested })}</TextButton>
        )}
      </span>
      {address.verdict === 'invalid' && (!list.run || list.run.isElsewhere) && (
        <CorrectLine text={address.text} faultId={verdictId} onCorrect={onCorrect} />
      )}
      {address.verdict === 'ready' && address.line && !list.run && (
        <Button
          variant="quiet"
          unavailable={unavailable}
          isReasonShown={false}
          aria-label={t('AssignManyRetry', { email: address.text })}
          onClick={() => whenReachable(retry)}
        >
          {t('home:TryAgain')}
        </Button>
      )}
    </li>
  )
}

function toneOf({ verdict, line }: ListedAddress): string {
  if (verdict === 'sent') return 'is-done'
  if (verdict === 'ready') return line ? 'waits' : ''
  return verdict === 'duplicate' ? '' : 'is-refused'
}

const VERDICT_KEYS = {
  ready: 'AddressReady',
  noToken: 'AddressNoToken',
  sent: 'AddressSent',
  allocated: 'AddressAllocated',
  own: 'AddressOwn',
  duplicate: 'AddressDuplicate',
} as const satisfies Partial<Record<AddressVerdict, string>>

function textOf({ verdict, fault, line, account }: ListedAddress, run: AssignRun | undefined, t: Translation['t']): string {
  if (verdict === 'invalid') return t(`AddressFault${fault}`)
  const isTried = verdict === 'ready' || verdict === 'refused'
  const isFromThisRun = run !== undefined && line !== undefined && isOfRun(line, run.startedAt)
  if (verdict === 'ready' && run?.accounts.has(account) && !isFromThisRun) return t('AddressWaiting')
  if (isTried && line?.outcome === 'unknown') return isBeingSent(line, run?.startedAt) ? t('AddressSending') : unknown(line, t)
  if (isTried && line && line.outcome !== 'sent') return notSent(line, t)
  return t(verdict === 'refused' ? 'AddressNotSentNoReason' : VERDICT_KEYS[verdict])
}

/** That it may have worked, and why that is not known: nothing came, or what the server or a proxy replied. */
function unknown({ code }: AssignLine, t: Translation['t']): string {
  if (code === undefined || code === 'FETCH_ERROR' || code === 'TIMEOUT_ERROR') return t('AddressUnknown')
  const unsure = t('AllocateUnsure')
  const reason = t([`errors:${code}`, 'tokens:AllocateUnsure'])
  return reason === unsure ? unsure : `${reason} ${unsure}`
}

/** The text of the line's error code, or that it failed. */
function notSent({ code, until }: AssignLine, t: Translation['t']): string {
  const text = t('AddressNotSent', { reason: t([`errors:${code}`, 'tokens:AddressNotSentNoReason']) })
  return until === undefined ? text : `${text} ${possibleFromText(until)}`
}

interface CorrectLineProps {
  text: string
  /** id of what is wrong with it */
  faultId: string
  /** '' removes the line */
  onCorrect: (text: string) => void
}

/** Corrects, in place, a line that cannot be sent. */
function CorrectLine({ text, faultId, onCorrect }: CorrectLineProps) {
  const { t } = useTranslation('tokens')
  const [written, setWritten] = useState<string>()
  if (written === undefined) {
    return (
      <Button variant="quiet" aria-label={t('AssignManyCorrectOf', { email: text })} onClick={() => setWritten(text)}>
        {t('AssignManyCorrect')}
      </Button>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCorrect(written)
  }
  return (
    <form className="token-correct" noValidate onSubmit={submit}>
      <input
        className="input"
        aria-label={t('AssignManyCorrectOf', { email: text })}
        aria-describedby={faultId}
        // it replaces the button that was tapped
        autoFocus
        inputMode="email"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={written}
        onChange={({ target }) => setWritten(target.value)}
        // as by Send, which removes the field
        onBlur={({ currentTarget: { form }, relatedTarget }) => {
          if (written !== text && written.trim() !== '' && !form?.contains(relatedTarget)) onCorrect(written)
        }}
      />
      <Button type="submit">{t('AssignManyCorrectDone')}</Button>
      <Button variant="quiet" aria-label={t('AssignManyRemoveOf', { email: text })} onClick={() => onCorrect('')}>
        {t('AssignManyRemove')}
      </Button>
    </form>
  )
}
