/**
 * Shows the questionnaire before React, i18next and the rest of the app have loaded; main.tsx takes over from it. The script in the
 * page (boot/begin.ts) loads it before everything else where the URL is the questionnaire's.
 * docs/decisions/0064-the-first-question-before-react.md
 */
import '#app/ui/browser/blocked-storages.ts'
import '#app/api/zod-jitless.ts'
import '#app/api/polyfills.ts'
import { earlyStart } from '#app/early-start.ts'
import { startLanguage } from '#app/i18n/current-language.ts'
import { loadPlainWords } from '#app/i18n/plain-words.ts'
import { questionnaireOf } from '#app/questionnaire/questionnaire.ts'
import { showFirst } from '#app/screens/assessment/first/show-first.ts'
import { createHandover, type ShownQuestions } from '#app/screens/assessment/first/handover.ts'
import { session, watchSessionInOtherTabs } from '#app/session/session.ts'
import { noteSignedInEntry, userOfEntry } from '#app/session/signed-in-entry.ts'
import { startPage } from '#app/start-page.ts'
import { afterPaint, whenIdle } from '#app/ui/browser/after-paint.ts'
import type { Language } from '#contract/languages.ts'
import { patternOf, screens } from '#contract/screens.ts'
import '#app/screens/assessment/sections/sections.css'
import '#app/screens/assessment/sending/sending.css'
import '#app/screens/assessment/questions/questions.css'

/**
 * The texts of the assessment, the frame and the components.
 * @param arrived when their files are here
 */
async function textsOnce(arrived: Promise<unknown> | undefined, language: Language) {
  await arrived
  return Promise.all([loadPlainWords(language, 'assessment'), loadPlainWords(language, 'shell'), loadPlainWords(language, 'ui')])
}

/** @returns once they are on screen, or it is known that the rest of the app is needed */
async function start(): Promise<void> {
  const instanceId = patternOf(screens.test).exec(location.pathname)?.[1]
  const root = document.getElementById('root')
  const early = earlyStart()
  if (instanceId === undefined || !root || !early || early.isDrawn) return
  const handover = createHandover(root)
  early.first = handover
  const language = startLanguage()
  const texts = textsOnce(early.arrived, language)
  await startPage()
  // until the app has loaded, which may take minutes, nothing else would notice that the person signs out
  watchSessionInOtherTabs()
  const { status, user, userTypeCode } = session.get()
  if (status === 'guest' || !user || userTypeCode === 'coach' || early.isDrawn) return
  noteSignedInEntry(user.id)
  // the entry of somebody who was here before: the app leads home (shell/guard.tsx)
  if (userOfEntry() !== user.id) return
  const questionnaire = questionnaireOf({ userId: user.id, instanceId: decodeURIComponent(instanceId) }, language)
  const [t, shell, ui] = await texts
  if (!t || !shell || !ui || early.isDrawn) return

  let shown: ShownQuestions | undefined
  const update = () => {
    const now = questionnaire.get()
    const isTheirs = session.get().user?.id === user.id
    if (early.isDrawn || (!shown && (!isTheirs || now.state !== 'ready'))) return
    if (shown) shown.follow(isTheirs && now.state === 'ready' ? now.ready : undefined)
    else if (now.state === 'ready') shown = showFirst(root, now.ready, questionnaire, { language, t, shell })
    if (!shown) return
    handover.noteShown(shown)
    document.title = ui('DocumentTitle', { title: t('TestTitle') })
  }
  // until React has subscribed, or the questionnaire would close in between
  handover.onReplaced(questionnaire.subscribe(update))
  handover.onReplaced(session.subscribe(update))
  update()
  await questionnaire.loadedFromDevice
}

void start()
  .catch((error: unknown) => console.error('Could not show the first questions before the app', error))
  // two frames, as the first callback runs before the frame is presented; then when idle, as a first tap must not wait for the app's scripts
  .finally(() => afterPaint(() => afterPaint(() => whenIdle(() => earlyStart()?.noteShown?.()))))
