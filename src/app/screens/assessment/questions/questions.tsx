import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { messageFor } from '#app/api/message-for.ts'
import { unlessSignedOut } from '#app/api/unless-signed-out.ts'
import type { StoredInstance } from '#app/device/store/stored.ts'
import { paths } from '#app/paths.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { useDocumentTitle } from '#app/ui/layout/page.tsx'
import { errorToast } from '#app/ui/feedback/toast.ts'
import { useFocusOnArrival } from '#app/ui/browser/use-focus-on-arrival.ts'
import { useKeepFocus } from '#app/ui/browser/use-keep-focus.ts'
import { useOnDemand } from '#app/ui/browser/on-demand.ts'
import { useIsMobile } from '#app/ui/browser/use-is-mobile.ts'
import { whenIdle } from '#app/ui/browser/after-paint.ts'
import { countRemaining, type Section } from '#contract/rules/questionnaire.ts'
import { isOpen } from '#contract/rules/statuses.ts'
import type { ScreenAnswers } from '#app/questionnaire/answers.ts'
import type { Questionnaire } from '#app/questionnaire/questionnaire.ts'
import { loadLateAnswers } from '#app/screens/assessment/sending/on-demand.ts'
import { beforeSubmit, prepareDoubts, type Noticed } from '#app/screens/assessment/doubts/before-submit.ts'
import { QuestionList } from './question-list.tsx'
import { install } from '#app/parts/install/install.ts'
import { loadInstallHelp } from '#app/parts/install/on-demand.ts'
import { SaveStatus } from '#app/screens/assessment/sending/save-status.tsx'
import { SectionTabs } from './section-tabs.tsx'
import { TestFooter } from './test-footer.tsx'
import { TestProgress } from './test-progress.tsx'
import type { LateAnswersProps } from '#app/screens/assessment/sending/late-answers.tsx'
import type { SubmitOutcome } from '#app/questionnaire/submit.ts'
import { useAnswers } from '#app/questionnaire/use-questionnaire.ts'
import { useLateNavigate } from '#app/ui/browser/use-late-navigate.ts'
import { useAutoAdvance } from './use-auto-advance.ts'
import { placeAfter, placeAfterAnswer, placeBefore, screenOf, type Place } from './places.ts'
import { useLostSubmit } from './use-lost-submit.ts'
import { usePlace } from './use-place.ts'

interface QuestionsProps {
  instance: StoredInstance
  sections: readonly Section[]
  questionnaire: Questionnaire
  /** the player comes from the details form, or the page has reloaded for a part that looks for missing details */
  isBackFromDetails: boolean
}

/** The questions with their navigation, the save status and Submit. QUESTIONS-1 to QUESTIONS-18 */
export function Questions({ instance, sections, questionnaire, isBackFromDetails }: QuestionsProps) {
  const { answers } = questionnaire
  const { t } = useTranslation('assessment')
  const navigate = useLateNavigate()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isSubmitLost, setSubmitLost] = useLostSubmit(questionnaire, isBackFromDetails)
  const [noticed, setNoticed] = useState<Noticed>()
  /** a section that was just left for the beginning of another */
  const [left, setLeft] = useState<{ section: Section; to: Place }>()
  const isPhone = useIsMobile()
  const { place, goTo, noteReached } = usePlace(instance.instanceId, sections, answers, isPhone)
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(t('TestTitle'))
  useFocusOnArrival(heading)
  const status = useRef<HTMLDivElement>(null)
  useKeepFocus(status, heading)
  const isEnded = !isOpen(instance.summary.status)
  useFocusOnEnd(isEnded, heading)

  const isLastSection = place.section === sections.length - 1
  useEffect(() => {
    if (isLastSection) whenIdle(() => void prepareDoubts())
  }, [isLastSection])

  const section = sections[place.section]
  const next = placeAfter(sections, place, isPhone)
  const back = placeBefore(sections, place, isPhone)

  function goNext(to: Place) {
    if (to.section !== place.section) {
      void questionnaire.send()
      setLeft(section && { section, to })
    }
    setNoticed(undefined)
    setFailure(undefined)
    goTo(to)
  }

  // only where a screen shows one question; otherwise the next one is visible already
  const onChosen = useAutoAdvance(
    answers,
    isPhone && next && !isEnded ? () => goNext(placeAfterAnswer(sections, next, answers)) : undefined,
  )

  async function exit() {
    setBusy(true)
    await questionnaire.saveAndExit()
    navigate(paths.home())
  }

  async function submitUnlessNoticed() {
    setBusy(true)
    const found = await beforeSubmit(questionnaire, sections)
    if (!found) return submit()
    setBusy(false)
    setNoticed(found)
  }

  async function submit() {
    setBusy(true)
    setFailure(undefined)
    setSubmitLost(false)
    try {
      followOutcome(await unlessSignedOut(() => questionnaire.submit()))
    } catch (error) {
      // the server refuses; no answer is lost
      console.error(error)
      setFailure(messageFor(error))
    } finally {
      setBusy(false)
    }
  }

  function followOutcome(outcome: SubmitOutcome | 'details'): void {
    switch (outcome) {
      case 'details':
        return navigate(`${paths.confirmDetails(instance.instanceId)}?then=submit`)
      case 'results':
        return navigate(paths.results(instance.instanceId))
      case 'results-before':
        navigate(paths.results(instance.instanceId))
        return errorToast('assessment:TestChangedTooLate')
      case 'open':
        // useTranslation('errors') would load the texts of errors before the first question
        errorToast('errors:NOT_COMPLETE')
        return navigate(paths.home())
      case 'not-submitted':
        return setFailure(t('TestNotSubmitted'))
      case 'unsure':
        return setFailure(t('TestSubmitUnsure'))
      case 'part-lost':
        return setSubmitLost(true)
      case 'waiting':
        // the save status says so
        return undefined
    }
  }

  const list = section && (
    <QuestionList
      section={section}
      position={place.section}
      {...screenOf(section, place.question, isPhone)}
      answers={answers}
      onChosen={isPhone ? onChosen : undefined}
      onReached={isPhone ? undefined : noteReached}
    />
  )
  return (
    <div className="test">
      <header className="test-head">
        <h1 ref={heading} tabIndex={-1} className="test-title">
          {t('TestTitle')}
        </h1>
        <SectionTabs
          sections={sections}
          current={place.section}
          answers={answers}
          onChoose={(to) => goNext({ section: to, question: 0 })}
        />
        <TestProgress sections={sections} answers={answers} onGoTo={goNext} />
        <div ref={status} className="test-status">
          <SaveStatus instance={instance} sections={sections} questionnaire={questionnaire} />
          {!isEnded && (
            <Button variant="quiet" isBusy={isBusy} onClick={() => void exit()}>
              {t('TestSaveAndExit')}
            </Button>
          )}
        </div>
      </header>
      {!isEnded && <LateAnswersOnDemand sections={sections} questionnaire={questionnaire} heading={heading} />}
      {isEnded ? (
        <fieldset disabled className="test-ended">
          {list}
        </fieldset>
      ) : (
        list
      )}
      {(failure ?? (isSubmitLost && !isEnded)) && (
        <p role="alert" className="notice notice-wait">
          {failure ?? t('TestSubmitPartLost')}
        </p>
      )}
      {left && place === left.to && !isEnded && <InstallNoteOnceSaved section={left.section} answers={answers} />}
      {noticed && !isEnded ? (
        <noticed.AnswerDoubts
          doubts={noticed.doubts}
          sections={sections}
          questionnaire={questionnaire}
          isBusy={isBusy}
          onReview={(to) => goNext({ section: to, question: 0 })}
          onSubmit={() => void submit()}
          onIncomplete={() => setNoticed(undefined)}
        />
      ) : (
        <TestFooter
          sections={sections}
          answers={answers}
          isLast={next === undefined}
          isEnded={isEnded}
          isBusy={isBusy}
          // no button leads to a question that is already the only one on the screen
          isElsewhere={(to) => !isPhone || to.section !== place.section || to.question !== place.question}
          onGoTo={goTo}
          onBack={back && (() => goTo(back))}
          onNext={() => next && goNext(next)}
          onSave={() => void exit()}
          onSubmit={() => void submitUnlessNoticed()}
        />
      )}
    </div>
  )
}

/** Answers superseded by another device (ANSWERS-11); the component loads once there is one. */
function LateAnswersOnDemand(props: LateAnswersProps) {
  const { late } = useAnswers(props.questionnaire.answers)
  const module = useOnDemand(loadLateAnswers, late.length > 0)
  return late.length > 0 && module && module !== 'lost' ? <module.LateAnswers {...props} /> : null
}

/** Suggests installing the app once this section is saved: its last answer may be under way. INSTALL-9 */
function InstallNoteOnceSaved({ section, answers }: { section: Section; answers: ScreenAnswers }) {
  const { answers: given, hasFailedWrites } = useAnswers(answers)
  const isSaved = !hasFailedWrites && countRemaining([section], given) === 0
  useEffect(() => {
    if (isSaved) install.noteSectionSaved()
  }, [isSaved])
  return isSaved ? <InstallNoteOnDemand /> : null
}

/** Loaded where it may be shown. */
function InstallNoteOnDemand() {
  const module = useOnDemand(loadInstallHelp, true)
  return module && module !== 'lost' ? <module.InstallNote /> : null
}

/** When the assessment ends elsewhere, the focused question is disabled and loses the focus: the heading takes it. */
function useFocusOnEnd(isEnded: boolean, heading: RefObject<HTMLElement | null>): void {
  const wasOpen = useRef(!isEnded)
  useEffect(() => {
    if (isEnded && wasOpen.current && document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [isEnded, heading])
}
