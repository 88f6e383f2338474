import { paths } from '#app/paths.ts'
import { newAddress } from './support/api.ts'
import { newCoach, tokensAvailable } from './support/coach.ts'
import { arriveAs, expect, expectAccessible, goOffline, test, workerTest } from './support/journey.ts'
import { ASSESSMENT, dialog, row, give, listField, line, send, openMany } from './support/tokens-panel.ts'
import { startOf, wordsOf } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

/** How a pasted list is checked before anything is sent: names, slips, how many tokens it needs. ASSIGN-13 */

test('a pasted list may have names, bullets and spreadsheet cells, and one wrong word spoils no other address', async ({
  page,
  t,
  server,
}) => {
  const coach = await newCoach(server.url, { tokens: 9 })
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await listField(page, t).fill('off1@club.test off2@club.test nope')
  await expect(dialog(page).getByText(t('tokens:AssignManyReady', { ready: 2, total: 3 }))).toBeVisible()
  await expect(line(page, t, 'nope')).toContainText(t('tokens:AddressFaultNoAt'))
  await listField(page, t).fill('1. ana@club.test\n• ben@club.test (capitaine)\nJean Dupont\tjean@club.fr\nmaya@club.test Maya')
  await expect(dialog(page).getByText(t('tokens:AssignManyReady', { ready: 4, total: 4 }))).toBeVisible()
})

test('a long list shows addresses to correct first, and they are corrected in place', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 90 })
  await page.setViewportSize({ width: 1280, height: 800 })
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  const right = Array.from({ length: 80 }, (_, at) => `Player ${at} <p${at}@club.test>`)
  await listField(page, t).fill(['Name Email Position', ...right, 'ana @club.test', 'Ben <ben@club>'].join('\n'))
  await expect(dialog(page).getByRole('button', { name: t('tokens:AssignManyShowCorrect', { lines: 2 }) })).toBeVisible()
  await expect(dialog(page).getByRole('listitem')).toHaveCount(2)
  await expect(send(page, t)).toBeInViewport()
  await dialog(page)
    .getByRole('button', { name: t('tokens:AssignManyCorrectOf', { email: 'ben@club' }) })
    .click()
  await dialog(page)
    .getByRole('textbox', { name: t('tokens:AssignManyCorrectOf', { email: 'ben@club' }) })
    .fill('ben@club.test')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByText(t('tokens:AssignManyReady', { ready: 81, total: 82 }))).toBeVisible()
  await expect(listField(page, t)).toHaveValue(/Ben <ben@club\.test>$/)
  await dialog(page)
    .getByRole('button', { name: t('tokens:AssignManyShowReady', { lines: 81 }) })
    .click()
  await expect(dialog(page).getByRole('listitem')).toHaveCount(81)
  await expect(send(page, t)).toBeInViewport()
})

test('a name beside an address names the row; of two names the first is used', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  const email = newAddress()
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await listField(page, t).fill(`Ana Silva <${email}>\nBea Costa <${email.toUpperCase()}>\nnot an address`)
  await send(page, t).click()
  await expect(dialog(page).getByText('1 sent, 1 not sent')).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: t('tokens:AssignManyKeepRest') })
    .click()
  await expect(listField(page, t)).toHaveValue('not an address')
  await dialog(page)
    .getByRole('button', { name: t('ui:Close') })
    .click()
  await expect(row(page, t, email)).toContainText('Ana Silva')
  const team = page.getByRole('region', { name: t('team:TeamOverviewTitle') })
  await expect(team.getByRole('row').filter({ hasText: email })).toContainText('Ana Silva')
})

test('Send says why it is disabled, and asks for the assessment if none is chosen', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  await page.route(/\/api\/assessment\?/, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { data: Record<string, unknown>[] } // DATA-1
    const [first] = reply.data
    await route.fulfill({ response, json: { ...reply, data: [first, { ...first, assessmentId: 'other', name: 'The other' }] } })
  })
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await expect(send(page, t)).toHaveAttribute('aria-disabled', 'true')
  await expect(send(page, t)).toHaveAccessibleDescription(t('tokens:AssignManyEmpty'))
  await listField(page, t).fill('nobody')
  await expect(send(page, t)).toHaveAccessibleDescription(t('tokens:AssignManyNoneReady'))
  await send(page, t).press('Enter')
  await expect(page.locator('#announcer')).toHaveText(t('tokens:AssignManyNoneReady'))

  const email = newAddress()
  await listField(page, t).fill(email)
  await expect(send(page, t)).not.toHaveAttribute('aria-disabled', 'true')
  await send(page, t).click()
  const choice = dialog(page).getByLabel(t('tokens:AssignManyAssessment'))
  await expect(choice).toBeFocused()
  await expect(choice).toHaveAccessibleDescription(t('tokens:AssignManyChoiceMissing'))
  await expect(choice).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page, 'the list of several players')
  await choice.selectOption(ASSESSMENT)
  await expect(dialog(page).getByText(t('tokens:AssignManyChoiceMissing'))).toBeHidden()
  await send(page, t).click()
  await expect(dialog(page).getByText('1 sent, 0 not sent')).toBeVisible()
  await expect(send(page, t)).toHaveAccessibleDescription(t('tokens:AssignManyAllSent'))
  await expect(send(page, t)).toBeFocused()
})

workerTest('the buttons stay side by side while a reason is shown, in both languages', async ({ page, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  for (const language of ['en', 'fr'] as const) {
    const t = wordsOf(language)
    await page.setViewportSize({ width: 1280, height: 900 })
    await arriveAs(page, coach, paths.home(), { language })
    await openMany(page, t)
    await listField(page, t).fill('ana@club.test')
    await goOffline(page, t)
    const close = dialog(page).getByRole('button', { name: t('ui:Close') })
    const field = listField(page, t)
    for (const width of [1280, 820, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const [left, right, whole] = await Promise.all([close, send(page, t), field].map((one) => one.boundingBox()))
      const ends = (box: typeof left) => (box ? box.x + box.width : Number.NaN)
      expect(ends(right), `${language} ${width}`).toBeCloseTo(ends(whole), 0)
      expect(left?.y, `${language} ${width}`).toBe(right?.y)
    }
    await page.context().setOffline(false)
  }
})

test('the tokens left are counted less those given since they were read; more can be bought from here', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 5 })
  const squad = Array.from({ length: 7 }, newAddress)
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await listField(page, t).fill(squad.join('\n'))
  await expect(dialog(page).getByText(t('tokens:AssignManyTooFew'))).toBeVisible()
  await page.route('**/api/tokens*', (route) => route.abort())
  await send(page, t).click()
  await expect(dialog(page).getByText('5 sent, 2 not sent')).toBeVisible()
  await expect(dialog(page).getByText(t('tokens:AssignManyTokens', { count: 0 }))).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: t('tokens:AssignManyClear') })
    .click()
  await expect(listField(page, t)).toHaveValue('')
  await expect(dialog(page).getByText(t('tokens:AssignManyTokens', { count: 0 }))).toBeVisible()
  await expect(dialog(page).getByText(t('tokens:NoTokenLeft'))).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: t('tokens:BuyMoreAssessmentTokens') })
    .click()
  await expectScreen(page, t, 'purchaseToken', paths.purchaseToken())
  await expect(dialog(page)).toBeHidden()
})

test('without a token the dialog for one player leads to the purchase too, here through the missing details', async ({ page, server }) => {
  const t = wordsOf('fr')
  const coach = await newCoach(server.url, { hasDetails: false })
  await arriveAs(page, coach, paths.home(), { language: 'fr' })
  const offer = page.getByRole('region', { name: t('home:AvailableAssessmentsTitleCoach') })
  await offer.getByRole('button', { name: startOf(t('home:BookAssessmentForPlayerOf', { name: '' })) }).click()
  await expect(dialog(page).getByText(t('tokens:NoTokenLeft'))).toBeVisible()
  await dialog(page)
    .getByRole('button', { name: t('tokens:BuyMoreAssessmentTokens') })
    .click()
  await expectScreen(page, t, 'profileReview', paths.coachConfirmDetails())
})

test('more addresses than tokens: the list says before sending that only the first ones can be sent', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  const squad = Array.from({ length: 4 }, newAddress)
  await give(coach, squad[0] ?? '')
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await listField(page, t).fill([...squad, coach.email].join(' '))
  const says = ['AddressAllocated', 'AddressReady', 'AddressNoToken', 'AddressNoToken']
  for (const [at, key] of says.entries()) await expect(line(page, t, squad[at] ?? '')).toContainText(t(`tokens:${key}`))
  await expect(line(page, t, coach.email)).toContainText(t('tokens:AddressOwn'))
  await send(page, t).click()
  await expect(dialog(page).getByText('1 sent, 4 not sent')).toBeVisible()
  expect(await tokensAvailable(coach)).toBe(0)
})
