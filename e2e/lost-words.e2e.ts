import { readFile } from 'node:fs/promises'
import { paths } from '#app/paths.ts'
import { DEMO_PLAYER_DONE, newPlayer, signInByApi } from './support/api.ts'
import { cut, fileMissing, noReply, type Bend } from './support/front.ts'
import { arriveAs, expect, signOut, test } from './support/journey.ts'
import { leaveUnsent } from './support/leaving.ts'
import { wordsOf } from './support/words.ts'

/** Texts that do not load on a device without a worker, which would have stored them: their names say nothing to anybody. INSTALL-3 */

const fileOf = (area: string) => new RegExp(`/assets/${area}-[\\w-]+\\.js$`)

/** The part that makes the file has the same name, and passes. */
const unlessTheyAreWords =
  (url: string, bend: Bend): Bend =>
  (incoming, reply, pass) =>
    void fetch(url + (incoming.url ?? ''))
      .then((file) => file.text())
      .then((text) => (text.includes('FileTitle:') ? bend(incoming, reply, pass) : pass()))

test.beforeEach(({ front }) => front.bend(/^\/sw\.js/, fileMissing))

test('who signs out is not asked without words what becomes of unsent answers', async ({ page, t, server, front }) => {
  front.bend(fileOf('leaving'), cut)
  await leaveUnsent(page, t, server, front, 2)
  await expect(page.getByText(t('shell:NotSignedOut')).first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('dialog')).toBeHidden()
  front.bend(fileOf('leaving'), (_incoming, _reply, pass) => pass())
  await signOut(page, t)
  const question = page.getByRole('dialog', { name: t('leaving:UnsentTitle', { count: 2 }) })
  await expect(question.getByRole('button', { name: t('leaving:KeepAndSignOut') })).toBeVisible({ timeout: 30_000 })
})

test('a file of answers says where it can be brought back, and the screen that it was saved', async ({ page, t, server, front }) => {
  await leaveUnsent(page, t, server, front, 2)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('leaving:StaySignedIn') })
    .click()
  front.bend(fileOf('answers-file'), unlessTheyAreWords(server.url, cut))
  await page.goto(front.url + paths.device())
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: t('device:SaveFile') }).click()
  const file = await saving
  expect((await readFile(await file.path(), 'utf8')).split('\n')[0]).toBe(front.url + paths.answersFile())
  await expect(page.getByRole('status').getByText(file.suggestedFilename())).toBeVisible({ timeout: 30_000 })
  front.bend(fileOf('answers-file'), (_incoming, _reply, pass) => pass())
  const said = t('answers-file:FileDownloaded', { name: file.suggestedFilename() })
  await expect(page.getByRole('status').getByText(said)).toBeVisible({ timeout: 45_000 })
})

test('the words of errors that never come do not hold up that question, nor a result', async ({ page, t, server, front }) => {
  const done = await signInByApi(server.url, DEMO_PLAYER_DONE)
  front.bend(fileOf('errors'), noReply)
  await arriveAs(page, done, paths.home(), { origin: front.url })
  await page
    .getByRole('link', { name: t('player:ViewResultsOf', { name: 'Touchline Profile¹' }) })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: t('results:ResultsOverviewTitle') })).toBeVisible({ timeout: 15_000 })
  await leaveUnsent(page, t, server, front, 2)
  const question = page.getByRole('dialog', { name: t('leaving:UnsentTitle', { count: 2 }) })
  await expect(question.getByRole('button', { name: t('leaving:KeepAndSignOut') })).toBeVisible({ timeout: 15_000 })
})

test('a file of answers is saved although its words never come', async ({ page, t, server, front }) => {
  await leaveUnsent(page, t, server, front, 2)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('leaving:StaySignedIn') })
    .click()
  front.bend(fileOf('answers-file'), unlessTheyAreWords(server.url, noReply))
  await page.goto(front.url + paths.device())
  const saving = page.waitForEvent('download', { timeout: 30_000 })
  await page.getByRole('button', { name: t('device:SaveFile') }).click()
  const name = (await saving).suggestedFilename()
  await expect(page.getByRole('status').getByText(name)).toBeVisible({ timeout: 30_000 })
})

for (const [words, name, said] of [
  ['the words of the frame', fileOf('words-en'), 'start:WeakRetrying'],
  ['its own words', fileOf('details'), 'shell:PartSlow'],
] as const)
  test(`a first screen whose words do not come says so, and is shown by itself once they can: ${words}`, async ({
    page,
    t,
    server,
    front,
  }) => {
    test.setTimeout(180_000)
    front.bend(name, noReply)
    await arriveAs(page, await newPlayer(server.url), paths.profile(), { origin: front.url })
    await expect(page.getByText(t(said)).first()).toBeVisible({ timeout: 45_000 })
    front.mend()
    await expect(page.getByRole('heading', { name: t('profile:ProfileTitle') })).toBeVisible({ timeout: 120_000 })
  })

test('a language whose file is gone leaves the screens in the one of before, and comes once it is there', async ({
  page,
  t,
  server,
  front,
}) => {
  const french = wordsOf('fr')
  await arriveAs(page, await newPlayer(server.url), paths.profile(), { origin: front.url })
  await expect(page.getByRole('heading', { name: t('profile:ProfileTitle') })).toBeVisible()
  front.bend(fileOf('words-fr'), fileMissing)
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Français' }).first().click()
  await reloaded
  await expect(page.getByRole('heading', { name: t('profile:ProfileTitle') })).toBeVisible()
  front.mend()
  await expect(page.getByRole('heading', { name: french('profile:ProfileTitle') })).toBeVisible({ timeout: 30_000 })
})

test('a page that begins in a language whose file is gone offers the other', async ({ page, t, server, front }) => {
  front.bend(fileOf('words-fr'), fileMissing)
  await arriveAs(page, await newPlayer(server.url), paths.profile(), { origin: front.url, language: 'fr' })
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('heading', { name: t('profile:ProfileTitle') })).toBeVisible()
})
