/**
 * Shows the questionnaire before React, i18next and the rest of the app have loaded; main.tsx takes over from it. The script in the
 * page (boot/begin.ts) loads it before everything else where the URL is the questionnaire's.
 * docs/decisions/0064-the-first-question-before-react.md
 */
import '#app/api/zod-jitless.ts'
import { page } from '#app/begun.ts'
import { startLanguage } from '#app/i18n/current-language.ts'
import { loadPlainWords } from '#app/i18n/plain-words.ts'
import { questionnaireOf } from '#app/questionnaire/questionnaire.ts'
import { isTakenOver, onTakenOver } from '#app/screens/assessment/first/first-questions.ts'
import { isAnswerable, showFirst } from '#app/screens/assessment/first/show-first.ts'
import { session } from '#app/session/session.ts'
import { startPage } from '#app/start-page.ts'
import { afterPaint } from '#app/ui/browser/after-paint.ts'
import { patternOf, screens } from '#contract/screens.ts'
import '#app/screens/assessment/questions/questions.css'
import '#app/screens/assessment/sections/sections.css'
import '#app/screens/assessment/sending/sending.css'

async function start(): Promise<void> {
  const instanceId = patternOf(screens.test).exec(location.pathname)?.[1]
  const root = document.getElementById('root')
  if (instanceId === undefined || !root) return
  const language = startLanguage()
  const texts = Promise.all([
    loadPlainWords(language, 'assessment'),
    loadPlainWords(language, 'shell'),
    loadPlainWords(language, 'ui'),
    page.begun?.styles,
  ])
  await startPage()
  const { status, user, userTypeCode } = session.get()
  if (status === 'guest' || !user || userTypeCode === 'coach') return
  if (isTakenOver()) return
  const questionnaire = questionnaireOf({ userId: user.id, instanceId: decodeURIComponent(instanceId) }, language)
  const [t, shell, ui] = await texts
  if (!t || !shell || !ui) return

  let isShown = false
  const look = () => {
    const shown = questionnaire.get()
    if (isTakenOver()) return
    // another person, or nobody: main.tsx leaves the screen. An instance that has ended takes no answer, which React draws
    const isTheirs = session.get().user?.id === user.id
    if (isShown && (!isTheirs || shown.state !== 'ready' || !isAnswerable(shown.ready))) root.setAttribute('inert', '')
    if (isShown || !isTheirs || shown.state !== 'ready') return
    isShown = true
    document.title = ui('DocumentTitle', { title: t('TestTitle') })
    showFirst(root, shown.ready, questionnaire, { language, t, shell })
  }
  // ended after React has subscribed, or the questionnaire would close in between
  onTakenOver(questionnaire.subscribe(look))
  onTakenOver(session.subscribe(look))
  look()
  await questionnaire.looked
}

void start().finally(() => afterPaint(() => page.begun?.noteShown?.()))
