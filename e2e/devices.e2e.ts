import { paths } from '#app/paths.ts'
import { auth, type OpenSession } from '#contract/auth.ts'
import { newAddress, newPlayer, signInByApi } from './support/api.ts'
import { cut, replyLost, replyWith } from './support/front.ts'
import {
  arriveAs,
  askForCode,
  expect,
  expectAccessible,
  gate,
  goOffline,
  login,
  signOut,
  tapInVain,
  test,
  typeCode,
  workerTest,
} from './support/journey.ts'
import { startOf, wordsOf } from './support/words.ts'
import { expectScreen } from './support/screens.ts'

test('another device is listed on the profile, reported by mail, and signed out from the profile', async ({ page, t, api, server }) => {
  const email = newAddress()
  const program = await signInByApi(server.url, email)
  await login(page, t, api, email)
  await expect.poll(async () => (await api.mails(email)).map(({ subject }) => subject)).toContain('A new sign-in to your Touchline account')
  const mail = (await api.mails(email)).find(({ subject }) => subject.startsWith('A new sign-in'))
  expect(mail?.text).toContain(t('profile:DevicesEndOthers'))
  expect(mail?.text).toContain(paths.profile())
  await page.goto(paths.profile())
  const devices = page.getByRole('region', { name: t('profile:DevicesTitle') })
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  await expect(devices.getByText('Chrome, Linux')).toBeVisible()
  await expectAccessible(page, 'the devices')
  await devices.getByRole('button', { name: t('profile:DeviceEndNamed', { name: 'node' }) }).click()
  await expect(page.getByText(t('profile:DeviceEnded'))).toBeVisible()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect(devices.getByRole('button')).toHaveCount(0)
  await expect(program.api.ask(auth.sessions, { params: { id: program.userId } })).rejects.toThrow('401')
})

test('a double tap signs out one device, not the next one that moves up under the finger', async ({ page, t, server }) => {
  const email = newAddress()
  for (let count = 0; count < 3; count += 1) await signInByApi(server.url, email)
  const here = await signInByApi(server.url, email)
  await arriveAs(page, here, paths.profile())
  const devices = page.getByRole('region', { name: t('profile:DevicesTitle') })
  await expect(devices.getByRole('listitem')).toHaveCount(4)
  await devices
    .getByRole('button', { name: t('profile:DeviceEndNamed', { name: 'node' }) })
    .first()
    .dblclick({ delay: 40 })
  await expect(page.getByText(t('profile:DeviceEnded'))).toBeVisible()
  await expect(devices.getByRole('listitem')).toHaveCount(3)
  await expect(devices.locator('[aria-busy="true"]')).toHaveCount(0)
  expect((await here.api.ask(auth.sessions, { params: { id: here.userId } })).data).toHaveLength(3)
})

test('devices of one name show different times, this device is first, and the focus stays in the list', async ({ page, t, server }) => {
  const email = newAddress()
  const here = await signInByApi(server.url, email)
  for (let count = 0; count < 2; count += 1) await signInByApi(server.url, email)
  // the server’s reply, with times that would otherwise take days to reach
  await page.route(/\/sessions$/, async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { data: OpenSession[] }
    const data = reply.data.map((one, at) => ({
      ...one,
      startedAt: `2026-0${at + 1}-02T09:3${at}:00Z`,
      lastUsedAt: `2026-0${at + 1}-03T10:00:00Z`,
    }))
    await route.fulfill({ response, json: { data: data.toSorted((a, b) => Number(a.isCurrent) - Number(b.isCurrent)) } })
  })
  await arriveAs(page, here, paths.profile())
  const devices = page.getByRole('region', { name: t('profile:DevicesTitle') })
  const rows = devices.getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.first().getByText(startOf(t('profile:DeviceThis')))).toBeVisible()
  const buttons = rows.getByRole('button')
  await expect(buttons).toHaveCount(2)
  const names = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  expect(new Set(names).size).toBe(2)
  for (const [at, name] of names.entries()) {
    const times = await rows
      .nth(at + 1)
      .getByRole('paragraph')
      .textContent()
    expect(name).toContain(times)
  }
  await buttons.first().focus()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(devices.getByRole('heading', { name: t('profile:DevicesTitle') })).toBeFocused()
  await expect(devices.locator('[aria-busy="true"]')).toHaveCount(0)
  await devices.getByRole('button', { name: t('profile:DevicesEndOthers') }).press('Enter')
  await expect(rows).toHaveCount(1)
  await expect(devices.getByRole('heading', { name: t('profile:DevicesTitle') })).toBeFocused()
})

test('the list says that it is loading', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const { open: letReply, opened: replied } = gate()
  front.bend(/\/sessions$/, (_incoming, _reply, pass) => void replied.then(pass))
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const devices = page.getByRole('region', { name: t('profile:DevicesTitle') })
  await expect(devices.getByRole('status')).toHaveText(t('profile:DevicesLoading'))
  letReply()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect(devices.getByRole('status')).toBeHidden()
})

for (const role of ['player', 'coach'] as const) {
  workerTest(`a ${role} signs out everywhere else, but not without a connection`, async ({ page, server, api }) => {
    const t = wordsOf('fr')
    const email = newAddress()
    const first = await signInByApi(server.url, email, role)
    const here = await signInByApi(server.url, email, role)
    await arriveAs(page, here, paths.profile(), { language: 'fr' })
    const devices = page.getByRole('region', { name: t('profile:DevicesTitle') })
    const everywhere = devices.getByRole('button', { name: t('profile:DevicesEndOthers') })
    await expect(everywhere).toBeVisible()
    await goOffline(page, t)
    await tapInVain(page, t, everywhere)
    await page.context().setOffline(false)
    await expect(page.getByText(t('shell:Offline'))).toBeHidden({ timeout: 15_000 })
    await everywhere.click()
    await expect(page.getByText(t('profile:DevicesEnded'))).toBeVisible()
    await expect(devices.getByRole('listitem')).toHaveCount(1)
    await expect(first.api.ask(auth.sessions, { params: { id: first.userId } })).rejects.toThrow('401')
    expect((await here.api.ask(auth.sessions, { params: { id: here.userId } })).data).toHaveLength(1)
    expect((await api.mails(email)).length).toBeGreaterThan(1)
  })
}

test('where a reply is lost, other devices may have been signed out; once the list says so, that is enough', async ({
  page,
  context,
  t,
  server,
  front,
}) => {
  const email = newAddress()
  await signInByApi(server.url, email, 'player')
  const here = await signInByApi(server.url, email, 'player')
  await arriveAs(page, here, paths.profile(), { origin: front.url })
  const devices = page.getByRole('region', { name: t('profile:DevicesTitle') })
  const everywhere = devices.getByRole('button', { name: t('profile:DevicesEndOthers') })
  await expect(everywhere).toBeVisible()
  const other = await context.newPage()
  await other.goto(front.url + paths.profile())
  await expect(other.getByRole('button', { name: t('profile:DevicesEndOthers') })).toBeVisible()
  front.bend(/\/sessions$/, cut)
  front.bend(/\/sessions\/end-others/, replyLost(server.url))
  await everywhere.click()
  const alert = devices.getByText(t('profile:DevicesUnsure', { reason: t('errors:FETCH_ERROR') }))
  await expect(alert).toBeVisible()
  // another tab still has the list, and is refused by something on the way
  front.bend(/\/sessions\/end-others/, replyWith(403, 'Forbidden'))
  await other.getByRole('button', { name: t('profile:DevicesEndOthers') }).click()
  await expect(other.getByText(t('profile:DevicesUnsure', { reason: t('errors:PARSING_ERROR') }))).toBeVisible()
  front.mend()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
  await expect(alert).toBeHidden()
})

test('a list of devices that cannot be loaded says so, and loads on retry', async ({ page, t, server, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  front.bend(/\/sessions$/, replyWith(503, {}))
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const devices = page.getByRole('region', { name: t('profile:DevicesTitle') })
  await expect(devices.getByRole('alert')).toContainText(t('profile:DevicesFailed'))
  front.mend()
  await devices.getByRole('button', { name: t('profile:ProfileTryAgain') }).click()
  await expect(devices.getByRole('listitem')).toHaveCount(1)
})

test('a sign-in begun by somebody else for the address is not this device’s, whose id survives signing out', async ({
  page,
  t,
  api,
  server,
}) => {
  const email = newAddress()
  await api.ask(auth.initiate, { body: { email, userTypeCode: 'player' } })
  await page.goto(paths.login())
  await askForCode(page, t, email)
  expect(await api.mails(email)).toHaveLength(2)
  const deviceId = () => page.evaluate(() => localStorage.getItem('deviceId'))
  const made = await deviceId()
  expect(made).toMatch(/^[\da-f-]{36}$/)
  await typeCode(page, t, await api.code(email))
  await expectScreen(page, t, 'home', new URL(paths.home(), server.url).href)
  const renewed = page.waitForRequest((request) => request.url().endsWith('/auth/refresh'))
  await page.evaluate(() => localStorage.setItem('expiresAt', String(Date.now() - 1)))
  await page.reload()
  expect((await renewed).postDataJSON()).toMatchObject({ deviceId: made })
  await expect(page.getByText(email, { exact: true })).toBeVisible()
  await signOut(page, t)
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  expect(await deviceId()).toBe(made)
})
