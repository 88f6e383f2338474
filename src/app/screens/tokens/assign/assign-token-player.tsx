import { useRef, useState, type FormEvent } from 'react'
import { network, probe } from '#app/api/network.ts'
import { useReaderId } from '#app/api/use-call.ts'
import { useSend } from '#app/api/use-send.ts'
import { currentLanguage } from '#app/i18n/i18n.ts'
import { type Language } from '#app/i18n/preferred-language.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { AssessmentName } from '#app/parts/assessment-name.tsx'
import { toast } from '#app/ui/toast.ts'
import type { Assessment } from '#contract/assessments.ts'
import { coach } from '#contract/coach.ts'
import { cleanEmail, isEmail, normalEmail } from '#contract/rules/email.ts'
import { AddressField } from '#app/screens/tokens/address-field.tsx'
import { AssignLanguage } from './assign-language.tsx'
import { sendOnce } from '#app/screens/tokens/send-once.ts'
import { TokenDialogActions } from '#app/screens/tokens/token-dialog-actions.tsx'
import { tokenTrouble, unsureOf } from '#app/screens/tokens/token-trouble.ts'

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

/** Whose it is to be. ASSIGN-3 to ASSIGN-6 */
export function PlayerStep({ assessment, email, onEmail, onChange, onSending, onClose }: Props) {
  const { t } = useTranslation('home')
  const userId = useReaderId()
  const { send, isSending } = useSend(coach.instances.allocate)
  const field = useRef<HTMLInputElement>(null)
  // a second Enter comes before anything is drawn anew
  const isUnderWay = useRef(false)
  const [isWrong, setIsWrong] = useState(false)
  const [language, setLanguage] = useState<Language>(currentLanguage)
  const [failed, setFailed] = useState<{ email: string; message: string; unsure: ReturnType<typeof unsureOf> }>()

  async function allocate(playerEmail: string): Promise<void> {
    const { assessmentId } = assessment
    const content = `${userId} ${assessmentId} ${normalEmail(playerEmail)}`
    const request = { playerEmail, assessmentId, language }
    onSending(true)
    setFailed(undefined)
    try {
      await sendOnce(content, (operationId) => send({ body: { ...request, operationId } }))
      toast(t('Allocated'))
      onClose()
    } catch (error) {
      setFailed({ email: playerEmail, message: tokenTrouble(error, 'home:AllocateFailed'), unsure: unsureOf(error) })
      // after any allocation failure: ASSIGN-6
      onEmail('')
      field.current?.focus()
    } finally {
      onSending(false)
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const cleaned = cleanEmail(email)
    const isRight = isEmail(cleaned)
    setIsWrong(!isRight)
    if (!isRight) return field.current?.focus()
    if (isUnderWay.current) return
    isUnderWay.current = true
    try {
      // Enter comes here too; the reason stands at the button
      if (network.isReachable() || (await probe())) await allocate(cleaned)
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
          {failed.unsure && <p>{t(failed.unsure)}</p>}
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
      <AddressField
        ref={field}
        label={t('AssignPlayerEmail')}
        hint={t('AssignPlayerEmailHint')}
        error={isWrong ? t('AssignEmailInvalid') : undefined}
        email={email}
        onEmail={(typed) => {
          onEmail(typed)
          setIsWrong(false)
        }}
      />
      <AssignLanguage value={language} onChange={setLanguage} />
      <TokenDialogActions isSending={isSending} submitLabel={t(isSending ? 'Assigning' : 'AssignSubmit')} onCancel={onClose} />
    </form>
  )
}
