import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { auth } from '#contract/auth.ts'
import { REOPEN_DAYS } from '#contract/constants.ts'
import { instances } from '#contract/instances.ts'
import { users } from '#contract/users.ts'
import { leaningOf } from '#sandbox/demo-accounts/leaning.ts'
import { answersOf, completeAs, erase, newAddress, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { askToClose, closeWithCode, unfold } from './support/closing.ts'
import { newCoach } from './support/coach.ts'
import { cut, fileMissing, refuseWith, replyLost, type Front } from './support/front.ts'
import {
  arriveAs,
  askForCode,
  codeField,
  expect,
  expectAccessible,
  gate,
  goOffline,
  goOnline,
  tapInVain,
  test,
  typeCode,
  untilWorkerIsThere,
  workerTest,
} from './support/journey.ts'
import { expectInert } from './support/inert.ts'
import { answersOnDevice } from './support/leaving.ts'
import { answerAll } from './support/questionnaire.ts'
import { speak } from './support/look.ts'
import { SAVING, watchRequests } from './support/requests.ts'
import { begin, give } from './support/tokens-panel.ts'
import type { ProductServer } from './support/server.ts'
import { startOf, wordsOf, type Words } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

test('an account is closed with a code, Cancel has the focus first, and the session ends at once', async ({ page, t, api, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.profile())
  await unfold(page, t)
  const begin = page.getByRole('button', { name: t('profile:CloseAccountButton') })
  await begin.click()
  const question = page.getByRole('dialog', { name: t('profile:CloseAccountQuestion') })
  await expect(question).toContainText(t('profile:CloseAccountText', { days: REOPEN_DAYS }))
  await expect(question).toContainText(t('profile:CloseAccountResultStays'))
  await expect(question.getByRole('button', { name: t('ui:Cancel') })).toBeFocused()
  await expectAccessible(page, 'closing the account')
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()

  await begin.click()
  const guess = async () => String((Number(await api.code(player.email)) + 1) % 10 ** 8).padStart(8, '0')
  const statuses: number[] = []
  page.on('response', (response) => response.url().endsWith('/deactivate') && statuses.push(response.status()))
  await closeWithCode(question, t, guess)
  await expect(page.getByText(t('errors:INVALID_CODE'))).toBeVisible()
  // a wrong code is not an ended session: nobody is signed out, and the code is not sent again
  const field = question.getByLabel(t('profile:CloseAccountCode', { digits: 8 }))
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(new RegExp(t('errors:INVALID_CODE').replaceAll('.', '\\.')))
  await expect(field).toHaveValue('')
  expect(statuses).toEqual([401])
  await expect(question.getByRole('button', { name: t('profile:CloseAccountConfirm') })).toHaveAccessibleDescription(
    t('profile:CloseAccountCodeMissing'),
  )
  await expectAccessible(page, 'the code that closes the account')
  await field.pressSequentially(await api.code(player.email))
  await question.getByRole('button', { name: t('profile:CloseAccountConfirm') }).click()
  await expectScreen(page, t, 'login', paths.login())
  await expect(page.getByText(t('shell:AccountClosed'))).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('accessToken')
  expect((await api.mails(player.email))[0]?.subject).toBe('Your Touchline account is closed')

  await askForCode(page, t, player.email)
  await typeCode(page, t, await api.code(player.email))
  // the right code proves who owns the account, so its state may be shown
  await expect(page.getByText(t('errors:ACCOUNT_CLOSED')).first()).toBeVisible()
  await expect(codeField(page, t)).toHaveValue('')
})

test('the section is collapsed, and hidden while the profile cannot be loaded', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  front.bend(new RegExp(`^/api/user/${player.userId}$`), fileMissing)
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await expect(page.getByText(t('details:ErrorLoadingProfile'))).toBeVisible()
  await expect(page.getByText(t('profile:CloseAccountTitle'))).toHaveCount(0)
  front.mend()
  await page.getByRole('button', { name: t('profile:ProfileTryAgain') }).click()
  await expect(page.getByText(t('profile:CloseAccountTitle'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('profile:CloseAccountButton') })).toBeHidden()
  await unfold(page, t)
  await expect(page.getByRole('button', { name: t('profile:CloseAccountButton') })).toBeVisible()
})

test('a coach is told what happens to tokens, players and results', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 3 })
  await give(coach, newAddress())
  await arriveAs(page, coach, paths.profile())
  await unfold(page, t)
  await page.getByRole('button', { name: t('profile:CloseAccountButton') }).click()
  const question = page.getByRole('dialog', { name: t('profile:CloseAccountQuestion') })
  await expect(question).toContainText('2 tokens are left. They are not refunded')
  await expect(question).toContainText(t('profile:CloseAccountPending', { count: 1 }))
  await expect(question).toContainText(t('profile:CloseAccountResults'))
  await expectAccessible(page, 'closing a coach’s account')
})

test('players read that nobody else reads their result while the coach’s account is closed, and once it is erased', async ({
  page,
  t,
  server,
}) => {
  const [coach, player] = [await newCoach(server.url, { tokens: 2 }), await newPlayer(server.url, { hasBought: false })]
  const done = await give(coach, player.email)
  await begin(player, done)
  await completeAs(player, done, leaningOf(3))
  const waiting = await give(coach, player.email)
  await arriveAs(page, player, paths.home())
  const past = page.getByRole('region', { name: t('player:PastAssessmentsTitle'), exact: true })
  await expect(past.getByText(startOf(t('player:CoachReads', { name: 'Ana Lopes' })))).toBeVisible()

  const own = { params: { id: coach.userId } }
  const { session } = await coach.api.ask(users.deactivateCode, own)
  await coach.api.ask(users.deactivate, { ...own, body: { session, otp: await coach.api.code(coach.email) } })
  await page.reload()
  await expect(past.getByText(startOf(t('player:ClosedCoachReads')))).toBeVisible()
  await page.goto(paths.results(done))
  await page.getByRole('link', { name: t('results:ResultsClosedCoachReport') }).click()
  await expect(page.getByText(t('team:CoachReportForPlayerClosed'))).toBeVisible()
  await page.goto(paths.brief(waiting))
  await expect(page.getByText(t('brief:BriefWhoSeesClosedCoach'))).toBeVisible()
  await speak(page, 'fr')
  const french = wordsOf('fr')
  await expect(page.getByText(french('brief:BriefWhoSeesClosedCoach'))).toBeVisible()

  await erase(server, coach)
  await page.reload()
  await expect(page.getByText(french('brief:BriefWhoSeesErasedCoach'))).toBeVisible()
  await speak(page, 'en')
  await expect(page.getByText(t('brief:BriefWhoSeesErasedCoach'))).toBeVisible()
  await page.goto(paths.home())
  await expect(past.getByText(startOf(t('player:ErasedCoachReads')))).toBeVisible()
  await page.goto(paths.results(done))
  await page.getByRole('link', { name: t('results:ResultsErasedCoachReport') }).click()
  await expect(page.getByText(t('team:CoachReportForPlayerErased'))).toBeVisible()
})

workerTest('without a connection the section says why the account cannot be closed', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.profile())
  await unfold(page, t)
  const begin = page.getByRole('button', { name: t('profile:CloseAccountButton') })
  await expect(begin).toBeVisible()
  await untilWorkerIsThere(page)
  await goOffline(page, t)
  await expect(begin).toHaveAccessibleDescription(t('ui:OnlineOnlyReason'))
  await tapInVain(page, t, begin)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await goOnline(page, t)
  await begin.click()
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('unsent answers are named, and sent before the account is closed', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  front.bend(/\/responses$/, cut)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 2))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 2 }))).toBeVisible()
  await page.goto(front.url + paths.profile())
  await unfold(page, t)
  await page.getByRole('button', { name: t('profile:CloseAccountButton') }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText(t('profile:CloseAccountUnsent', { count: 2 }))
  const answered: string[] = []
  page.on('response', (response) => response.request().method() === 'POST' && answered.push(`${response.status()} ${response.url()}`))
  front.mend()
  await closeWithCode(question, t, () => player.api.code(player.email))
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  const place = (call: RegExp) => answered.findIndex((one) => call.test(one))
  expect(place(/^200 .*\/responses$/)).toBeGreaterThan(-1)
  expect(place(/^200 .*\/deactivate$/)).toBeGreaterThan(place(/^200 .*\/responses$/))
})

test('the button is busy while a device that does not respond is read, and the account is closed all the same', async ({
  page,
  t,
  api,
  server,
}) => {
  test.setTimeout(180_000)
  const player = await newPlayer(server.url)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  })
  await arriveAs(page, player, paths.profile())
  await unfold(page, t)
  const begin = page.getByRole('button', { name: t('profile:CloseAccountButton') })
  await begin.click()
  await expectInert(begin)
  const question = page.getByRole('dialog', { name: t('profile:CloseAccountQuestion') })
  await expect(question).toBeVisible({ timeout: 20_000 })
  await closeWithCode(question, t, () => api.code(player.email))
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible({ timeout: 120_000 })
})

/** A player with three unsent answers, who has opened the dialog. */
async function askWithUnsent(page: Page, t: Words, server: ProductServer, front: Front) {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  front.bend(SAVING, cut)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 3))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 3 }))).toBeVisible()
  await page.goto(front.url + paths.profile())
  const question = await askToClose(page, t)
  return { player, question }
}

test('if the session was ended elsewhere, nothing is said to be closed, and unsent answers stay', async ({ page, t, server, front }) => {
  const { player, question } = await askWithUnsent(page, t, server, front)
  let ended: Promise<unknown> | undefined
  // while the call is on its way: the page would learn of it before
  front.bend(/\/deactivate$/, (_incoming, _reply, pass) => {
    ended ??= player.api.ask(auth.logout, {})
    void ended.then(pass)
  })
  await closeWithCode(question, t, () => player.api.code(player.email))
  await expectScreen(page, t, 'login', front.url + paths.login(), { timeout: 30_000 })
  await expect(page.getByText(t('shell:SessionEnded'))).toBeVisible()
  await expect(page.getByText(t('shell:AccountClosed'))).toBeHidden()
  expect(await answersOnDevice(page)).toBe(3)
})

test('if it was never sent, and the session was ended elsewhere, the sign-in does not go on saying that it is closed', async ({
  page,
  t,
  server,
  front,
}) => {
  const { player, question } = await askWithUnsent(page, t, server, front)
  await closeWithCode(question, t, async () => {
    const code = await player.api.code(player.email)
    front.bend(/\/deactivate$/, (...given) => {
      front.bend(/^\/api\//, cut)
      cut(...given)
    })
    return code
  })
  await expect(question.getByRole('alert')).toBeVisible({ timeout: 40_000 })
  await player.api.ask(auth.logout, {})
  // what is sent now is refused, by which the page learns it
  front.mend()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible({ timeout: 60_000 })
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload()
    await expect(page.getByText(t('shell:SessionEnded'))).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(t('shell:AccountClosed'))).toBeHidden()
  }
  expect(await answersOnDevice(page)).toBe(3)
})

test('if its reply is lost, a later refusal after going back does not say that the account is open', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  await arriveAs(page, player, paths.home(), { origin: front.url })
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  const question = await askToClose(page, t)
  // any other call would learn it, too
  front.bend(/^\/api\/(?!.*(?:deactivate|refresh|logout|health))/, () => undefined)
  front.bend(/\/deactivate$/, replyLost(server.url))
  await closeWithCode(question, t, () => player.api.code(player.email))
  await expect(page.getByText(t('errors:FETCH_ERROR'))).toBeVisible()
  const refuse = gate()
  const closings = watchRequests(page, /\/deactivate$/)
  front.bend(/\/deactivate$/, (...given) => void refuse.opened.then(() => refuseWith(429, 'TOO_MANY_REQUESTS')(...given)))
  await question.getByLabel(t('profile:CloseAccountCode', { digits: 8 })).pressSequentially('12345678')
  await question.getByRole('button', { name: t('profile:CloseAccountConfirm') }).click()
  await expect.poll(() => closings.length).toBe(1)
  await page.goBack()
  refuse.open()
  await expect(page.getByText(t('profile:CloseAccountUnsure', { reason: t('errors:TOO_MANY_REQUESTS') }))).toBeVisible()
})

test('if the reply is lost, the next try says that the account is closed', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 2))
  await page.goto(front.url + paths.profile())
  await unfold(page, t)
  await page.getByRole('button', { name: t('profile:CloseAccountButton') }).click()
  const question = page.getByRole('dialog')
  // any other call from here on would learn it too, before a second try could be typed
  front.bend(/^\/api\/(?!.*(?:deactivate|responses|refresh|logout|health))/, () => undefined)
  front.bend(/\/deactivate$/, replyLost(server.url))
  await closeWithCode(question, t, () => player.api.code(player.email))
  await expect(page.getByText(t('errors:FETCH_ERROR'))).toBeVisible()
  front.bend(/\/deactivate$/, (_incoming, _reply, pass) => pass())
  await question.getByLabel(t('profile:CloseAccountCode', { digits: 8 })).pressSequentially('12345678')
  await question.getByRole('button', { name: t('profile:CloseAccountConfirm') }).click()
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect(page.getByText(t('shell:AccountClosed'))).toBeVisible()
  await expect(page.getByText(t('shell:SessionEnded'))).toHaveCount(0)
  // the same is left as after a reply that arrived: nothing about the person
  const left = await page.evaluate(async () => {
    const names = [...Object.keys(localStorage), ...Object.keys(sessionStorage)]
    const databases = await indexedDB.databases()
    const rows = await Promise.all(
      databases.map(
        ({ name = '' }) =>
          new Promise<number>((resolve) => {
            const opening = indexedDB.open(name)
            opening.addEventListener('success', () => {
              const { result } = opening
              const reading = result.transaction([...result.objectStoreNames])
              let count = 0
              for (const store of result.objectStoreNames) {
                // the copy of a sign-in, and not the mark beside it
                const counting = reading.objectStore(store).count(store === 'copy' ? 'session' : undefined)
                counting.addEventListener('success', () => (count += store === 'device' ? 0 : counting.result))
              }
              reading.addEventListener('complete', () => resolve(count))
            })
          }),
      ),
    )
    return { names, rows }
  })
  expect(left.names.filter((name) => /reads|token|expires|returnTo|onboarding/i.test(name))).toEqual([])
  expect(left.rows.reduce((sum, count) => sum + count, 0)).toBe(0)
})

test('going back while unsent answers are sent closes nothing, and a refusal that comes after going back is told', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  const saving = /\/responses$/
  front.bend(saving, cut)
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script.slice(0, 1))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
  await page.goto(front.url + paths.home())
  const toProfile = page.getByRole('link', { name: t('shell:MenuProfile'), exact: true })
  await toProfile.click()
  await unfold(page, t)
  await page.getByRole('button', { name: t('profile:CloseAccountButton') }).click()
  front.mend()
  const send = gate()
  front.bend(saving, (_incoming, _reply, pass) => void send.opened.then(pass))
  const closings = watchRequests(page, /\/deactivate$/)
  const code = () => player.api.code(player.email)
  await closeWithCode(page.getByRole('dialog'), t, code)
  await expectInert(page.getByRole('dialog').getByRole('button', { name: t('ui:Cancel') }))
  await page.goBack()
  await expectScreen(page, t, 'home', front.url + paths.home())
  send.open()
  await expect.poll(() => storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 1)))

  await toProfile.click()
  await unfold(page, t)
  await page.getByRole('button', { name: t('profile:CloseAccountButton') }).click()
  const refuse = gate()
  front.bend(/\/deactivate$/, (...given) => void refuse.opened.then(() => refuseWith(503, 'UNAVAILABLE')(...given)))
  expect(closings).toEqual([])
  await closeWithCode(page.getByRole('dialog'), t, code)
  await expect.poll(() => closings.length).toBe(1)
  await page.goBack()
  await expectScreen(page, t, 'home', front.url + paths.home())
  refuse.open()
  await expect(page.getByText(t('profile:CloseAccountUnsure', { reason: t('errors:UNAVAILABLE') }))).toBeVisible()
})
