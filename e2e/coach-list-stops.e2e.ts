import { paths } from '#app/paths.ts'
import { tokens } from '#contract/tokens.ts'
import { newAddress } from './support/api.ts'
import { newCoach, payForTokens, tokensAvailable } from './support/coach.ts'
import { replyLost } from './support/front.ts'
import { arriveAs, expect, gate, test } from './support/journey.ts'
import { ALLOCATE, dialog, give, listField, line, send, openMany } from './support/tokens-panel.ts'

/** A list whose sending stopped or was left: what its status, lines and filters say, and where the focus is. ASSIGN-13, ASSIGN-15 */

test('behind a filter the line that it blocks says so, and a run that it stops says why', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 30 })
  const [blocked = '', ...squad] = Array.from({ length: 22 }, newAddress)
  const ofFilter = (status: number) => ({ status, contentType: 'text/html', body: '<h1>Blocked</h1>' })
  await page.route('**/allocate', (route) =>
    route.request().postData()?.includes(blocked) ? route.fulfill(ofFilter(403)) : route.continue(),
  )
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await listField(page, t).fill([blocked, ...squad].join('\n'))
  await send(page, t).click()
  await expect(dialog(page).getByRole('status')).toHaveText(t('tokens:AssignManyResult', { sent: 21, left: 1 }))
  await expect(dialog(page).getByRole('button', { name: t('tokens:AssignManyShowRetry', { lines: 1 }) })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(line(page, t, blocked)).toContainText(t('errors:PARSING_ERROR'))
  expect(await tokensAvailable(coach)).toBe(9)

  await page.unrouteAll()
  await page.route('**/allocate', (route) => route.fulfill(ofFilter(429)))
  await listField(page, t).fill(Array.from({ length: 8 }, newAddress).join('\n'))
  await send(page, t).click()
  await expect(dialog(page).getByRole('status').getByText(t('tokens:AssignManyStopped'))).toBeVisible()
  await expect(dialog(page).getByText(t('errors:TOO_MANY_REQUESTS')).first()).toBeVisible()
  expect(await tokensAvailable(coach)).toBe(9)
})

test('after a stop each line that was tried says that it may have worked, and why that is not known', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 20 })
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  const html = { contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }
  const replies = [
    [{ status: 200, ...html }, 'PARSING_ERROR'],
    [{ status: 511, ...html }, 'PARSING_ERROR'],
    [{ status: 503, json: { code: 'UNAVAILABLE', message: '-', requestId: '-' } }, 'UNAVAILABLE'],
  ] as const
  for (const [reply, code] of replies) {
    const squad = Array.from({ length: 5 }, newAddress)
    await listField(page, t).fill(squad.join('\n'))
    await page.route('**/allocate', (route) => route.fulfill(reply))
    await send(page, t).click()
    await expect(dialog(page).getByRole('status')).toContainText(t('tokens:AssignManyStopped'))
    await expect(line(page, t, squad[0] ?? '')).toContainText(`${t(`errors:${code}`)} ${t('tokens:AllocateUnsure')}`)
    await page.unrouteAll()
  }
  // of another list it is not said
  await listField(page, t).fill(newAddress())
  await expect(dialog(page).getByRole('status')).not.toContainText(t('tokens:AssignManyStopped'))

  await listField(page, t).fill(Array.from({ length: 5 }, newAddress).join('\n'))
  await page.route('**/allocate', (route) => route.abort())
  await send(page, t).click()
  await expect(dialog(page).getByRole('status')).toContainText(t('tokens:AssignManyStopped'))
  await expect(dialog(page).getByText(t('tokens:AddressUnknown'))).toHaveCount(3)
})

test('where all lines that were tried turn out to be sent, the stop does not refer to them', async ({ page, t, server, front }) => {
  const coach = await newCoach(server.url, { tokens: 20 })
  await arriveAs(page, coach, paths.home(), { origin: front.url })
  await openMany(page, t)
  await listField(page, t).fill(Array.from({ length: 8 }, newAddress).join('\n'))
  front.bend(ALLOCATE, replyLost(server.url))
  await send(page, t).click()
  await expect(dialog(page).getByRole('status')).toHaveText(
    `${t('tokens:AssignManyResult', { sent: 3, left: 5 })}. ${t('tokens:AssignManyStoppedEarly')}`,
  )
})

test('lines that were being sent when the page was left are to be tried again', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 30 })
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await listField(page, t).fill(Array.from({ length: 24 }, newAddress).join('\n'))
  let asked = 0
  await page.route('**/allocate', async (route) => {
    asked += 1
    if (asked <= 4) await route.continue()
  })
  await send(page, t).click()
  await expect.poll(() => asked).toBe(7)
  const filter = (name: string) => dialog(page).getByRole('button', { name, exact: true })
  await expect(filter(t('tokens:AssignManyShowReady', { lines: 20 }))).toBeVisible()
  await page.reload()
  await openMany(page, t)
  await expect(dialog(page).getByRole('status')).toHaveText(t('tokens:AssignManyResultUnsure', { sent: 4, left: 17, unsure: 3 }))
  await expect(filter(t('tokens:AssignManyShowRetry', { lines: 3 }))).toHaveAttribute('aria-pressed', 'true')
  await expect(filter(t('tokens:AssignManyShowReady', { lines: 17 }))).toBeVisible()
  await expect(dialog(page).getByText(t('tokens:AddressUnknown'))).toHaveCount(3)
})

test('a line that found no token is ready once tokens were bought', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 2 })
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  const player = newAddress()
  await listField(page, t).fill(player)
  for (let given = 0; given < 2; given += 1) await give(coach, newAddress())
  await send(page, t).click()
  await expect(line(page, t, player)).toContainText(t('tokens:AddressNoToken'))
  await coach.api.ask(tokens.completeCheckout, { body: { session_id: await payForTokens(coach, 2) } })
  await page.reload()
  await openMany(page, t)
  await expect(line(page, t, player)).toContainText(t('tokens:AddressReady'))
  await send(page, t).click()
  await expect(line(page, t, player)).toContainText(t('tokens:AddressSent'))
})

test('by keyboard, trying a line again leaves the focus in the list, and a stop is seen to be taken', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 30 })
  const squad = Array.from({ length: 21 }, newAddress)
  const [first = '', second = ''] = squad
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await listField(page, t).fill(squad.join('\n'))
  const isOneOf = (data: string | null) => [first, second].some((email) => data?.includes(email))
  await page.route('**/allocate', (route) =>
    isOneOf(route.request().postData()) ? route.fulfill({ status: 403, contentType: 'text/html', body: 'No' }) : route.continue(),
  )
  await send(page, t).click()
  const status = dialog(page).getByRole('status')
  await expect(status).toHaveText(t('tokens:AssignManyResult', { sent: 19, left: 2 }))
  await page.unrouteAll()
  const again = (email: string) => dialog(page).getByRole('button', { name: t('tokens:AssignManyRetry', { email }) })
  await again(first).press('Enter')
  // the line that is now in its place
  await expect(line(page, t, second)).toBeFocused()
  await expect(status).toHaveText(t('tokens:AssignManyResult', { sent: 20, left: 1 }))
  await page.keyboard.press('Tab')
  await expect(again(second)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(status).toHaveText(t('tokens:AssignManyResult', { sent: 21, left: 0 }))
  // no line is shown
  await expect(dialog(page).getByRole('button', { name: t('tokens:AssignManyShowAll', { lines: 21 }) })).toBeFocused()

  const clear = dialog(page).getByRole('button', { name: t('tokens:AssignManyClear') })
  await clear.press('Enter')
  await expect(listField(page, t)).toBeFocused()

  await listField(page, t).fill(Array.from({ length: 6 }, newAddress).join('\n'))
  const { open, opened } = gate()
  await page.route('**/allocate', async (route) => {
    await opened
    await route.continue()
  })
  await send(page, t).click()
  const stop = dialog(page).getByRole('button', { name: t('tokens:AssignManyStop') })
  await stop.press('Enter')
  await expect(status).toHaveText(t('tokens:AssignManyStopping'))
  await expect(stop).toBeFocused()
  await expect(stop).toHaveAttribute('aria-busy', 'true')
  open()
  await expect(status).toHaveText(t('tokens:AssignManyResult', { sent: 3, left: 3 }))
  await expect(status).toBeFocused()
})

test('after a stop in a long list, the filter that is shown holds the lines that say why', async ({ page, t, server }) => {
  const coach = await newCoach(server.url, { tokens: 22 })
  const squad = Array.from({ length: 21 }, newAddress)
  await arriveAs(page, coach, paths.home())
  await openMany(page, t)
  await listField(page, t).fill(['nobody', ...squad].join('\n'))
  const filter = (name: string) => dialog(page).getByRole('button', { name })
  await filter(t('tokens:AssignManyShowReady', { lines: 21 })).click()
  await page.route('**/allocate', (route) => route.fulfill({ status: 429, contentType: 'text/html', body: '<h1>Blocked</h1>' }))
  await send(page, t).click()
  const stopped = dialog(page).getByRole('status').getByText(t('tokens:AssignManyStopped'))
  await expect(stopped).toBeVisible()
  await expect(filter(t('tokens:AssignManyShowRetry', { lines: 3 }))).toHaveAttribute('aria-pressed', 'true')
  await expect(dialog(page).getByText(t('errors:TOO_MANY_REQUESTS')).first()).toBeVisible()

  // tokens that the list still counts are given elsewhere
  await page.unrouteAll()
  await filter(t('tokens:AssignManyShowReady', { lines: 18 })).click()
  for (let given = 0; given < 9; given += 1) await give(coach, newAddress())
  await send(page, t).click()
  await expect(stopped).toBeVisible()
  await expect(filter(t('tokens:AssignManyShowNoToken', { lines: 8 }))).toHaveAttribute('aria-pressed', 'true')
  await expect(dialog(page).getByText(t('tokens:AddressNoToken')).first()).toBeVisible()
})
