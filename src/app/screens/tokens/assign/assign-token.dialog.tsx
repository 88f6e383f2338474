import './assign.css'
import { useState, useRef, type FormEvent } from 'react'
import { useSettings } from '#app/api/use-settings.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { TextButton } from '#app/ui/forms/text-button.tsx'
import { Dialog } from '#app/ui/feedback/dialog.tsx'
import { Skeleton } from '#app/ui/layout/skeletons.tsx'
import type { Assessment } from '#contract/assessments.ts'
import { plainName } from '#contract/rules/assessment-name.ts'
import { AssessmentCard } from '#app/parts/dashboard/assessment-card.tsx'
import { TokensMissing } from '#app/screens/tokens/buy-tokens.tsx'
import { LoadError } from '#app/parts/dashboard/panel.tsx'
import { reachesServer } from '#app/api/network.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { useSend } from '#app/api/use-send.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { useSingleSubmit } from '#app/ui/forms/use-single-submit.ts'
import { useIsGone } from '#app/ui/browser/use-is-gone.ts'
import { errorToast, toast } from '#app/ui/feedback/toast.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { cleanEmail, isEmail, normalEmail } from '#contract/rules/email.ts'
import { AddressField } from '#app/screens/tokens/dialogs/address-field.tsx'
import { AssignLanguage } from './assign-language.tsx'
import { mayBeDone } from '#app/api/lost-replies.ts'
import { sendOnce } from '#app/screens/tokens/send-once.ts'
import { TokenDialogActions } from '#app/screens/tokens/dialogs/token-dialog-actions.tsx'
import { allocationTrouble, unsureOf } from '#app/screens/tokens/token-trouble.ts'
import type { Language } from '#contract/languages.ts'

/** The assessments on offer: the first page, 10 at most (ASSIGN-1). */
export interface Offer {
  /** undefined until loaded, and after a failure */
  assessments: readonly Assessment[] | undefined
  hasFailed: boolean
  /** why it failed */
  error: unknown
  onTryAgain: () => void
}

interface Props {
  offer: Offer
  /** the assessment whose card was used */
  preselected: string | undefined
  hasToken: boolean
  onClose: () => void
}

/** Assigns a token: choose the assessment, then the player. Mounted on each opening, so that closing resets it. ASSIGN-1, ASSIGN-2 */
export function AssignTokenDialog({ offer, preselected, hasToken, onClose }: Props) {
  const { t } = useTranslation('tokens')
  const assessments = offer.assessments ?? []
  const [chosenId, setChosenId] = useState(preselected)
  const [email, setEmail] = useState('')
  const { isUnderWay: isSending, submit } = useSingleSubmit()
  const only = preselected === undefined && assessments.length === 1 ? assessments[0] : undefined
  const chosen = assessments.find(({ assessmentId }) => assessmentId === chosenId) ?? only

  return (
    <Dialog isOpen title={t(chosen ? 'AssignmentDetails' : 'AssignAssessmentToken')} isBusy={isSending} onClose={onClose}>
      <div className="stack token-dialog">
        {!hasToken && <TokensMissing why={t('NoTokenLeft')} />}
        {chosen ? (
          <PlayerStep
            assessment={chosen}
            email={email}
            onEmail={setEmail}
            onChange={assessments.length > 1 ? () => setChosenId('') : undefined}
            isSending={isSending}
            submit={submit}
            onClose={onClose}
          />
        ) : (
          <ChooseStep offer={offer} hasReturned={chosenId === ''} onChoose={setChosenId} onClose={onClose} />
        )}
      </div>
    </Dialog>
  )
}

interface ChooseStepProps {
  offer: Offer
  /** back from the next step: the first button here takes the focus */
  hasReturned: boolean
  onChoose: (assessmentId: string) => void
  onClose: () => void
}

function ChooseStep({ offer: { assessments, hasFailed, error, onTryAgain }, hasReturned, onChoose, onClose }: ChooseStepProps) {
  const { t } = useTranslation(['tokens', 'home', 'ui'])
  const settings = useSettings()
  return (
    <>
      {hasFailed && <LoadError error={error} onTryAgain={onTryAgain} />}
      {!hasFailed && !assessments && <Skeleton bars={[12]} />}
      {assessments?.length === 0 && <p className="nothing">{t('home:NoAssessmentsAvailable')}</p>}
      <ul className="dashboard-list">
        {assessments?.map((assessment, at) => (
          <li key={assessment.assessmentId}>
            <AssessmentCard assessment={assessment} learnMore={settings?.links.learnMore} hasPrice={false}>
              <Button
                autoFocus={hasReturned && at === 0}
                aria-label={t('SelectAssessmentOf', { name: plainName(assessment.name) })}
                onClick={() => onChoose(assessment.assessmentId)}
              >
                {t('SelectAssessment')}
              </Button>
            </AssessmentCard>
          </li>
        ))}
      </ul>
      <div className="token-dialog-actions">
        <Button onClick={onClose}>{t('ui:Cancel')}</Button>
      </div>
    </>
  )
}

interface PlayerStepProps {
  assessment: Assessment
  /** as typed so far; stays when the assessment is changed */
  email: string
  onEmail: (email: string) => void
  /** goes back to choose another assessment; undefined if there is only one */
  onChange: (() => void) | undefined
  /** from when the connection is checked: what was cancelled would be sent all the same */
  isSending: boolean
  submit: (run: () => Promise<void>) => Promise<void>
  onClose: () => void
}

/** The player's address and the mail's language. ASSIGN-3 to ASSIGN-6 */
function PlayerStep({ assessment, email, onEmail, onChange, isSending, submit, onClose }: PlayerStepProps) {
  const { t } = useTranslation('tokens')
  const userId = useReaderId()
  const { send } = useSend(instancesForCoach.allocate)
  const field = useRef<HTMLInputElement>(null)
  const isGone = useIsGone()
  const [isInvalid, setIsInvalid] = useState(false)
  const [language, setLanguage] = useState<Language>(currentLanguage)
  const [failed, setFailed] = useState<{ email: string; message: string; unsure: ReturnType<typeof unsureOf> }>()

  async function allocate(playerEmail: string): Promise<void> {
    const { assessmentId } = assessment
    const content = `${userId} ${assessmentId} ${normalEmail(playerEmail)}`
    const request = { playerEmail, assessmentId, language }
    setFailed(undefined)
    try {
      await sendOnce(content, (operationId) => send({ body: { ...request, operationId } }))
      toast(t('Allocated'))
      onClose()
    } catch (error) {
      const message = allocationTrouble(error)
      const unsure = unsureOf(error) ?? (mayBeDone(content) ? 'AllocateUnsure' : undefined)
      // the coach has gone back
      if (isGone.current) return errorToast({ error, fallback: 'tokens:AllocateFailed' }, unsure ? `${message} ${t(unsure)}` : message)
      setFailed({ email: playerEmail, message, unsure })
      // the field is cleared after any failure: ASSIGN-6
      onEmail('')
      field.current?.focus()
    }
  }

  async function check(event: FormEvent): Promise<void> {
    event.preventDefault()
    const cleaned = cleanEmail(email)
    const isValid = isEmail(cleaned)
    setIsInvalid(!isValid)
    if (!isValid) return field.current?.focus()
    await submit(async () => {
      if (await reachesServer()) await allocate(cleaned)
    })
  }

  return (
    <form className="stack token-dialog" noValidate aria-busy={isSending} onSubmit={(event) => void check(event)}>
      <p className="token-chosen">
        <strong>
          <AssessmentName name={assessment.name} />
        </strong>
        {onChange && (
          <TextButton isInert={isSending} onClick={onChange}>
            {t('AssignChange')}
          </TextButton>
        )}
      </p>
      {failed && (
        <div role="alert" className="notice notice-refused">
          <p>{failed.message}</p>
          <p>{t('AssignFailedFor', { email: failed.email })}</p>
          {failed.unsure && <p>{t(failed.unsure)}</p>}
          <TextButton
            onClick={() => {
              onEmail(failed.email)
              field.current?.focus()
            }}
          >
            {t('AssignPutBack', { email: failed.email })}
          </TextButton>
        </div>
      )}
      <AddressField
        ref={field}
        label={t('AssignPlayerEmail')}
        hint={t('AssignPlayerEmailHint')}
        error={isInvalid ? t('AssignEmailInvalid') : undefined}
        email={email}
        onEmail={(typed) => {
          onEmail(typed)
          setIsInvalid(false)
        }}
      />
      <AssignLanguage value={language} onChange={setLanguage} />
      <TokenDialogActions isSending={isSending} submitLabel={t(isSending ? 'Assigning' : 'AssignSubmit')} onCancel={onClose} />
    </form>
  )
}
