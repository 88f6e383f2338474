import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { answersOf, newAddress, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { newCoach, tokensAvailable } from './support/coach.ts'
import { answerAll, askForCode, button, heading, newCode, seesAnswered, signIn, typeCode } from './support/engines/steps.ts'
import type { EnginePage } from './support/engines/page.ts'
import { engineTest as test, whereStorageIsBlocked } from './support/engines/journey.ts'
import { expect } from './support/journey.ts'

/** Real settings of real browsers that keep pages from storing: Firefox blocks channels between tabs with them, all of them locks. SESSION-3 */

/** All but two of the questions. */
const ANSWERED = 74

whereStorageIsBlocked(() => {
  test('a player signs in, answers, reloads, goes on, submits and signs out', async ({ t, server, phone }) => {
    const player = await newPlayer(server.url, { questions: ANSWERED })
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
    const [next, ...last] = script.slice(ANSWERED)
    if (!next) throw new Error('no questions left')

    const page = await phone.open()
    await signIn(page, t, player, server.url)
    await page.tap({ role: 'link', name: new RegExp(`^${t('player:GoToAssessment')}`) })
    await page.tap({ role: 'link', name: t('brief:BriefContinue') })
    await answerAll(page, t, [next])
    await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, ANSWERED + 1)))

    await page.reload()
    const isGuest = { role: 'textbox', name: t('auth:Email') }
    const isThere = { role: 'group', name: next.text }
    await expect.poll(async () => (await page.has(isGuest)) || (await page.has(isThere)), { timeout: 30_000 }).toBe(true)
    if (await page.has(isGuest)) {
      await page.type(isGuest, player.email)
      await page.tap(button(t('auth:SendCode')))
      await page.type({ role: 'textbox', name: t('auth:OtpLabel', { count: 8 }) }, await newCode(player, 3))
    }
    // where session storage is left, a screen that was loaded again might be somebody else's
    const toAssessment = { role: 'link', name: new RegExp(`^${t('player:GoToAssessment')}`) }
    await expect.poll(async () => (await page.has(toAssessment)) || (await page.has(isThere)), { timeout: 30_000 }).toBe(true)
    if (await page.has(toAssessment)) {
      await page.tap(toAssessment)
      await page.tap({ role: 'link', name: t('brief:BriefContinue') })
    }
    await seesAnswered(page, t, [next])
    await answerAll(page, t, last)
    await page.tap(button(t('assessment:TestSubmit')))
    await page.sees(heading(t('results:ResultsOverviewTitle')), { timeout: 60_000 })
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))

    await page.tap({ role: 'link', name: t('shell:ReturnToDashboard') })
    await page.tap(button(t('shell:MenuSignOut')))
    const keep = button(t('leaving:KeepAndSignOut'))
    const guest = heading(t('auth:LoginTitle'))
    await expect.poll(async () => (await page.has(keep)) || (await page.has(guest)), { timeout: 30_000 }).toBe(true)
    if (await page.has(keep)) await page.tap(keep)
    await page.sees(guest)
    await page.goto(server.url + paths.home())
    await page.sees(guest)
  })

  test('the screens of a coach’s sign-in say whether a reload signs out, and the coach assigns, closes the account and is signed out', async ({
    t,
    server,
    phone,
  }) => {
    const says = (page: EnginePage) =>
      page.reads(t('auth:NotKept'), { timeout: 5000 }).then(
        () => true,
        () => false,
      )
    const isGuest = { role: 'textbox', name: t('auth:Email') }
    const page = await phone.open()
    await page.goto(server.url + paths.onboard())
    const isLost = await says(page)
    const coach = await newCoach(server.url, { tokens: 1 })
    await askForCode(page, t, coach, server.url)
    expect(await says(page)).toBe(isLost)
    await typeCode(page, t, coach)
    const assign = button(t('tokens:TokenAssignOf', { index: 1 }))
    await page.sees(assign)

    await page.reload()
    await expect.poll(async () => (await page.has(isGuest)) || (await page.has(assign)), { timeout: 30_000 }).toBe(true)
    expect(await page.has(isGuest)).toBe(isLost)
    if (isLost) {
      await page.type(isGuest, coach.email)
      await page.tap(button(t('auth:SendCode')))
      await page.type({ role: 'textbox', name: t('auth:OtpLabel', { count: 8 }) }, await newCode(coach, 3))
    }
    await page.tap(assign)
    await page.type({ role: 'textbox', name: t('tokens:AssignPlayerEmail') }, newAddress())
    await page.tap(button(t('tokens:AssignSubmit')))
    await expect.poll(async () => tokensAvailable(coach)).toBe(0)

    await page.tap({ role: 'link', name: t('shell:MenuProfile') })
    await page.tap({ role: 'heading', name: t('profile:CloseAccountTitle') })
    await page.tap(button(t('profile:CloseAccountButton')))
    await page.tap(button(t('profile:CloseAccountSendCode')))
    const code = { role: 'textbox', name: t('profile:CloseAccountCode', { digits: 8 }) }
    await page.sees(code)
    await page.type(code, await newCode(coach, isLost ? 4 : 3))
    await page.tap(button(t('profile:CloseAccountConfirm')))
    await page.sees(heading(t('auth:LoginTitle')), { timeout: 30_000 })
    await page.reads(t('shell:AccountClosed'))
  })
})
