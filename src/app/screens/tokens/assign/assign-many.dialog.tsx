import './assign.css'
import { useId, useLayoutEffect, useRef, useState, type Ref } from 'react'
import { useOnlineOnly } from '#app/api/use-online-only.ts'
import { useTranslation, type Translation } from '#app/i18n/use-translation.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { formatCount } from '#app/i18n/figures.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Dialog } from '#app/ui/feedback/dialog.tsx'
import { Skeleton } from '#app/ui/layout/skeletons.tsx'
import type { Assessment } from '#contract/assessments.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { AssignLanguage } from './assign-language.tsx'
import { readyOf, restOf, resultText, saysWhy, sentAndLeft, type ListedAddress } from './assign-many-lines.ts'
import { AssignManyList } from './assign-many-list.tsx'
import { TokensMissing } from '#app/screens/tokens/buy-tokens.tsx'
import type { AssignMany } from './use-assign-many.ts'
import { toast } from '#app/ui/feedback/toast.ts'
import { TextButton } from '#app/ui/forms/text-button.tsx'

interface Props {
  list: AssignMany
  addresses: readonly ListedAddress[]
  assessments: readonly Assessment[]
  /** available tokens, minus those used since the tokens were read */
  available: number
  onClear: () => void
  onClose: () => void
}

/** Invites many players: paste a list, check the verdict on each address, send, and correct what failed. ASSIGN-13 to ASSIGN-15 */
export function AssignManyDialog({ list, addresses, assessments, available, onClear, onClose }: Props) {
  const { t } = useTranslation('tokens')
  const choice = useRef<HTMLSelectElement>(null)
  const textarea = useRef<HTMLTextAreaElement>(null)
  const [isChoiceAsked, setIsChoiceAsked] = useState(false)
  // the list may change while Send checks the connection
  const latest = useRef({ list, addresses })
  useLayoutEffect(() => {
    latest.current = { list, addresses }
  })
  const lacksTokens = addresses.some(({ verdict }) => verdict === 'noToken')

  function send(): void {
    const { list, addresses } = latest.current
    if (list.draft?.assessmentId) return void list.send(readyOf(addresses))
    setIsChoiceAsked(true)
    choice.current?.focus()
  }

  function clear(): void {
    textarea.current?.focus()
    onClear()
  }

  return (
    <Dialog isOpen title={t('AssignMany')} onClose={onClose}>
      {list.draft ? (
        <div className="stack token-dialog">
          <AssignManyForm
            list={list}
            draft={list.draft}
            assessments={assessments}
            available={available}
            choice={choice}
            textarea={textarea}
            isChoiceMissing={isChoiceAsked && !list.draft.assessmentId}
          />
          {addresses.length > 0 && <AssignManyList list={list} addresses={addresses} />}
          {lacksTokens && !list.run && <TokensMissing why={t('AssignManyTooFew')} />}
          {addresses.length === 0 && available === 0 && <TokensMissing why={t('NoTokenLeft')} />}
          <AssignManyActions list={list} addresses={addresses} onSend={send} onClear={clear} onClose={onClose} />
        </div>
      ) : (
        <Skeleton bars={[3, 10]} />
      )}
    </Dialog>
  )
}

interface FormProps extends Pick<Props, 'list' | 'assessments' | 'available'> {
  draft: NonNullable<AssignMany['draft']>
  choice: Ref<HTMLSelectElement>
  textarea: Ref<HTMLTextAreaElement>
  /** Send was tapped without an assessment chosen */
  isChoiceMissing: boolean
}

function AssignManyForm({ list, draft, assessments, available, choice, textarea, isChoiceMissing }: FormProps) {
  const { t } = useTranslation('tokens')
  const id = useId()
  const isRunning = list.run !== undefined
  return (
    <>
      <div className="field">
        <label className="field-label" htmlFor={`${id}what`}>
          {t('AssignManyAssessment')}
        </label>
        <select
          ref={choice}
          id={`${id}what`}
          className="input"
          aria-describedby={isChoiceMissing ? `${id}missing` : undefined}
          aria-invalid={isChoiceMissing || undefined}
          disabled={isRunning}
          value={draft.assessmentId}
          onChange={({ target }) => list.change({ assessmentId: target.value })}
        >
          <option value="">{t('AssignManyChoose')}</option>
          {assessments.map(({ assessmentId, name }) => (
            <option key={assessmentId} value={assessmentId}>
              {plainName(name)}
            </option>
          ))}
        </select>
        {isChoiceMissing && (
          <span id={`${id}missing`} className="field-error" role="alert">
            {t('AssignManyChoiceMissing')}
          </span>
        )}
      </div>
      <div className="field">
        <label className="field-label" htmlFor={`${id}list`}>
          {t('AssignManyList')}
        </label>
        <span id={`${id}hint`} className="field-hint">
          {t('AssignManyListHint')} {t('AssignManyTokens', { count: available })}
        </span>
        <textarea
          ref={textarea}
          id={`${id}list`}
          className="input token-list"
          rows={6}
          aria-describedby={`${id}hint`}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          readOnly={isRunning}
          value={draft.text}
          onChange={({ target }) => list.change({ text: target.value })}
        />
      </div>
      {!list.isStored && <p className="notice notice-wait">{t('AssignManyNotKept')}</p>}
      <AssignLanguage
        value={draft.language ?? currentLanguage()}
        onChange={(language) => list.change({ language })}
        isDisabled={isRunning}
      />
    </>
  )
}

interface ActionsProps extends Pick<Props, 'list' | 'addresses' | 'onClear' | 'onClose'> {
  onSend: () => void
}

/** The buttons, with a status line: how many lines are ready, the progress while sending, then how many were sent. */
function AssignManyActions({ list, addresses, onSend, onClear, onClose }: ActionsProps) {
  const { t } = useTranslation(['tokens', 'ui'])
  const { unavailable, whenReachable } = useOnlineOnly()
  const { run } = list
  const emptyReason = run ? undefined : nothingToSend(addresses, t)
  const { sent, left } = sentAndLeft(addresses)
  const wasSent = addresses.some(({ line }) => line !== undefined)
  const status = useRef<HTMLParagraphElement>(null)
  const focused = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // the button that was used has disappeared
    if (focused.current?.isConnected === false && document.activeElement === document.body) status.current?.focus()
  })
  return (
    <div
      className="stack token-always"
      onFocus={({ target }) => {
        focused.current = target
      }}
    >
      <p ref={status} role="status" tabIndex={-1} className="token-outcome">
        {addresses.length > 0 && statusText(list, addresses, t)}
      </p>
      {wasSent && !run && left > 0 && sent > 0 && <AssignManyRest rest={restOf(addresses)} onKeep={(text) => list.change({ text })} />}
      {run && !run.isElsewhere && <progress max={run.accounts.size} value={run.done} aria-hidden="true" />}
      <div className="token-dialog-actions">
        <Button onClick={onClose}>{t('ui:Close')}</Button>
        {wasSent && !run && <Button onClick={onClear}>{t('AssignManyClear')}</Button>}
        {run && !run.isElsewhere && (
          <Button isBusy={run.isStopping} onClick={list.stop}>
            {t('AssignManyStop')}
          </Button>
        )}
        {/* rendered while sending too, so that it keeps the focus */}
        <Button
          variant="primary"
          isBusy={run !== undefined}
          unavailable={emptyReason ?? unavailable}
          onClick={() => (emptyReason === undefined ? whenReachable(onSend) : announce(emptyReason))}
        >
          {t('AssignManySend')}
        </Button>
      </div>
    </div>
  )
}

function statusText({ draft, run, isCutShort }: AssignMany, addresses: readonly ListedAddress[], t: Translation['t']): string {
  if (!draft?.assessmentId) return t('AssignManyChoose')
  if (run?.isElsewhere) return t('AssignManyElsewhere')
  if (run?.isStopping) return t('AssignManyStopping')
  if (run) return t('AssignManySending', { done: formatCount(run.done), total: formatCount(run.accounts.size) })
  if (addresses.every(({ line }) => line === undefined)) {
    const { sent, left } = sentAndLeft(addresses)
    return t('AssignManyReady', { ready: formatCount(readyOf(addresses).length), total: formatCount(sent + left) })
  }
  const result = resultText(addresses, t)
  return isCutShort ? `${result}. ${t(saysWhy(addresses) ? 'AssignManyStopped' : 'AssignManyStoppedEarly')}` : result
}

/** Why there is nothing to send; undefined if there is. */
function nothingToSend(addresses: readonly ListedAddress[], t: Translation['t']): string | undefined {
  if (addresses.length === 0) return t('AssignManyEmpty')
  if (readyOf(addresses).length > 0) return undefined
  return t(sentAndLeft(addresses).left === 0 ? 'AssignManyAllSent' : 'AssignManyNoneReady')
}

interface RestProps {
  /** what was not sent, one per line */
  rest: string
  onKeep: (rest: string) => void
}

/** After a run: buttons to reduce the list to what was not sent, or to copy that. */
function AssignManyRest({ rest, onKeep }: RestProps) {
  const { t } = useTranslation('tokens')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(rest)
      toast(t('AssignManyCopied'))
    } catch {
      // no clipboard: reduce the list to it, so that it can be copied by hand
      onKeep(rest)
    }
  }
  return (
    <p className="row">
      <TextButton onClick={() => onKeep(rest)}>{t('AssignManyKeepRest')}</TextButton>
      <TextButton onClick={() => void copy()}>{t('AssignManyCopyRest')}</TextButton>
    </p>
  )
}
