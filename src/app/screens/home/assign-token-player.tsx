import { useRef, useState, type FormEvent } from 'react'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { isApiError } from '#app/api/api-error.ts'
import { network, probe } from '#app/api/network.ts'
import { useReaderId } from '#app/api/use-call.ts'
import { useSend } from '#app/api/use-send.ts'
import { currentLanguage, type Language } from '#app/i18n/i18n.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AssessmentName } from '#app/parts/assessment-name.tsx'
import { Button } from '#app/ui/button.tsx'
import { PlainTextField } from '#app/ui/form-field.tsx'
import { toast } from '#app/ui/toast.ts'
import type { Assessment } from '#contract/assessments.ts'
import { coach } from '#contract/coach.ts'
import { accountOf } from '#contract/rules/addresses.ts'
import { isEmail } from '#contract/rules/profile.ts'
import { AssignLanguage } from './assign-language.tsx'
import { operationFor, settleOperation } from './assign-operations.ts'
import { tokenTrouble } from './token-trouble.ts'

interface Props {
  assessment: Assessment
  /** as typed so far; it outlives a change of the assessment */
  email: string
  onEmail: (email: string) => void
  /** there are others to choose from */
  onChange: (() => void) | undefined
  onSending: (isSending: boolean) => void
  onClose: () => void
}

/** Whose it is to be. §5 Assign form, §8 Allocation */
export function PlayerStep({ assessment, email, onEmail, onChange, onSending, onClose }: Props) {
  const { t } = useTranslation(['home', 'ui'])
  const userId = useReaderId()
  const { send, isSending } = useSend(coach.instances.allocate)
  const field = useRef<HTMLInputElement>(null)
  // a second Enter comes before anything is drawn anew
  const isUnderWay = useRef(false)
  const [isWrong, setIsWrong] = useState(false)
  const [language, setLanguage] = useState<Language>(currentLanguage)
  const [failed, setFailed] = useState<{ email: string; message: string; isUnknown: boolean }>()

  async function allocate(playerEmail: string): Promise<void> {
    const { assessmentId } = assessment
    const content = `${userId} ${assessmentId} ${accountOf(playerEmail)}`
    const request = { playerEmail, assessmentId, operationId: operationFor(content), language }
    onSending(true)
    setFailed(undefined)
    try {
      await send({ body: request })
      settleOperation(content)
      toast(t('Allocated'))
      onClose()
    } catch (error) {
      settleOperation(content, error)
      const isUnknown = isApiError(error) && error.isUnanswered
      setFailed({ email: playerEmail, message: tokenTrouble(error, 'home:AllocateFailed'), isUnknown })
      // §8: after any allocation failure
      onEmail('')
      field.current?.focus()
    } finally {
      onSending(false)
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const isRight = isEmail(email)
    setIsWrong(!isRight)
    if (!isRight) return field.current?.focus()
    if (isUnderWay.current) return
    isUnderWay.current = true
    try {
      // Enter comes here too; the reason stands at the button
      if (network.isReachable() || (await probe())) await allocate(email.trim())
    } finally {
      isUnderWay.current = false
    }
  }

  return (
    <form className="stack token-dialog" noValidate aria-busy={isSending} onSubmit={(event) => void submit(event)}>
      <p className="token-chosen">
        <strong>
          <AssessmentName name={assessment.name} />
        </strong>
        {onChange && (
          <button type="button" className="text-button" onClick={onChange}>
            {t('AssignChange')}
          </button>
        )}
      </p>
      {failed && (
        <div role="alert" className="notice notice-refused">
          <p>{failed.message}</p>
          <p>{t('AssignFailedFor', { email: failed.email })}</p>
          {failed.isUnknown && <p>{t('AddressUnknown')}</p>}
          <button
            type="button"
            className="text-button"
            onClick={() => {
              onEmail(failed.email)
              field.current?.focus()
            }}
          >
            {t('AssignPutBack', { email: failed.email })}
          </button>
        </div>
      )}
      <PlainTextField
        ref={field}
        label={t('AssignPlayerEmail')}
        hint={t('AssignPlayerEmailHint')}
        error={isWrong ? t('AssignEmailInvalid') : undefined}
        isMandatory
        // eslint-disable-next-line jsx-a11y/no-autofocus -- the one thing this step asks for
        autoFocus
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={email}
        onChange={({ target }) => {
          onEmail(target.value)
          setIsWrong(false)
        }}
      />
      <AssignLanguage value={language} onChange={setLanguage} />
      <div className="token-dialog-actions">
        <Button aria-disabled={isSending || undefined} onClick={() => !isSending && onClose()}>
          {t('ui:Cancel')}
        </Button>
        <div>
          <OnlineOnlyButton type="submit" look="primary" isBusy={isSending}>
            {t(isSending ? 'Assigning' : 'AssignSubmit')}
          </OnlineOnlyButton>
        </div>
      </div>
    </form>
  )
}
