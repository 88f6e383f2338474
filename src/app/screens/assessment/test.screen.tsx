/** /assessment/{assessmentInstanceId}/test: the questionnaire. §2, §4 Assessment taking, §5; rulings 10–18, 26, 27 */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Redirect, useLocation, useParams } from 'wouter'
import { useCall } from '#app/api/use-call.ts'
import { sendNow } from '#app/offline/outbox.ts'
import type { ScreenAnswers } from '#app/offline/answers.ts'
import type { ReadyInstance } from '#app/offline/instances.ts'
import { paths } from '#app/paths.ts'
import { useSession } from '#app/session/use-session.ts'
import { Button } from '#app/ui/button.tsx'
import { useDocumentTitle } from '#app/ui/page.tsx'
import { useArrival } from '#app/ui/use-arrival.ts'
import { useIsMobile } from '#app/ui/use-is-mobile.ts'
import { canOpenBrief } from '#contract/rules/profile.ts'
import { users } from '#contract/users.ts'
import { finish, reopen, saveAndExit } from './finish.ts'
import { FinishedOnDevice } from './finished-on-device.tsx'
import { LateAnswers } from './late-answers.tsx'
import { Question } from './question.tsx'
import { SaveStatus } from './save-status.tsx'
import { SectionTabs } from './section-tabs.tsx'
import { TestFooter } from './test-footer.tsx'
import { TestProblem } from './test-problem.tsx'
import { TestProgress } from './test-progress.tsx'
import { placeAfter, placeBefore, usePlace, type Place } from './use-place.ts'
import { useQuestionnaire } from './use-questionnaire.ts'
import './test.css'

export default function TestScreen() {
  const { t, i18n } = useTranslation('assessment')
  const { assessmentInstanceId: instanceId } = useParams<{ assessmentInstanceId: string }>()
  const { user } = useSession()
  const questionnaire = useQuestionnaire(user?.id, instanceId, i18n.language)
  useDocumentTitle(t('TestTitle'))

  switch (questionnaire.state) {
    case 'loading':
      return <TestSkeleton />
    case 'ready':
      return <Test key={instanceId} {...questionnaire} />
    default:
      return <TestProblem problem={questionnaire.state} />
  }
}

function TestSkeleton() {
  const { t } = useTranslation('assessment')
  return (
    <div className="page" aria-busy="true">
      <p className="visually-hidden" role="status">
        {t('TestLoading')}
      </p>
      <div className="skeleton test-skeleton" />
      <div className="skeleton test-skeleton" />
    </div>
  )
}

function Test({ ready, answers }: { ready: ReadyInstance; answers: ScreenAnswers }) {
  const { t } = useTranslation('assessment')
  const { instance, sections } = ready
  const [, navigate] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const isOneByOne = useIsMobile()
  const { place, go } = usePlace(sections, answers)
  const profile = useCall(users.get, { params: { id: instance.userId } })
  const heading = useRef<HTMLHeadingElement>(null)
  useArrival(heading)
  useKeepOnLeave()

  if (instance.summary.status === 'COMPLETED') return <Redirect to={paths.results(instance.instanceId)} replace />
  if (instance.finish) return <FinishedOnDevice instance={instance} onReopen={() => reopen(instance)} />

  const section = sections[place.section]
  const next = placeAfter(sections, place, isOneByOne)
  const back = placeBefore(sections, place, isOneByOne)

  function goNext(to: Place) {
    if (to.section !== place.section) void sendNow()
    go(to)
  }

  async function exit() {
    setBusy(true)
    await saveAndExit()
    navigate(paths.home())
  }

  async function submit() {
    // the missing details are asked for before Submit is sent (ruling 27)
    if (profile.data && !canOpenBrief(profile.data)) return navigate(`${paths.confirmDetails(instance.instanceId)}?then=submit`)
    setBusy(true)
    const finished = await finish(instance)
    setBusy(false)
    if (finished === 'results') navigate(paths.results(instance.instanceId))
    if (finished === 'open') navigate(paths.home())
  }

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
        <TestProgress sections={sections} answers={answers} onGo={go} />
        <div className="test-status">
          <SaveStatus instance={instance} answers={answers} />
          <Button look="quiet" isBusy={isBusy} onClick={() => void exit()}>
            {t('TestSaveAndExit')}
          </Button>
        </div>
      </header>
      <LateAnswers sections={sections} answers={answers} />
      {section && (
        <div id="section-panel" role="tabpanel" aria-labelledby={`tab-${section.name}`} className="test-questions">
          {section.questions.map((question, index) =>
            isOneByOne && index !== place.question ? null : (
              <div key={question.id} id={`question-${place.section}-${index}`} tabIndex={-1} className="test-question">
                <p className="soft small">{t('TestQuestion', { number: index + 1, count: section.questions.length })}</p>
                <Question section={section} question={question} answers={answers} />
              </div>
            ),
          )}
        </div>
      )}
      <TestFooter
        sections={sections}
        answers={answers}
        isLast={next === undefined}
        isBusy={isBusy}
        onBack={back && (() => go(back))}
        onNext={() => next && goNext(next)}
        onSave={() => void exit()}
        onSubmit={() => void submit()}
      />
    </div>
  )
}

/** Leaving by Back or a link sends as well as leaving by the button. */
function useKeepOnLeave(): void {
  useEffect(() => () => void sendNow(), [])
}
