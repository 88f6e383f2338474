import { readFile } from 'node:fs/promises'
import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { cut, fileMissing, noReply, type Bend } from './support/front.ts'
import { arriveAs, expect, signOut, test } from './support/journey.ts'
import { leaveUnsent } from './support/leaving.ts'

/** Texts that do not load on a device without a worker, which would have stored them: their names say nothing to anybody. INSTALL-3 */

const wordsOf = (area: string) => new RegExp(`/assets/${area}-[\\w-]+\\.js$`)

test.beforeEach(({ front }) => front.bend(/^\/sw\.js/, fileMissing))

test('who signs out is not asked without words what becomes of unsent answers', async ({ page, t, server, front }) => {
  front.bend(wordsOf('leaving'), cut)
  await leaveUnsent(page, t, server, front, 2)
  await expect(page.getByText(t('ui:DialogLost')).first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('dialog')).toBeHidden()
  front.bend(wordsOf('leaving'), (_incoming, _reply, pass) => pass())
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
  // the part that makes the file has the same name
  const cutWords: Bend = (incoming, reply, pass) =>
    void fetch(server.url + (incoming.url ?? ''))
      .then((file) => file.text())
      .then((text) => (text.includes('FileTitle:') ? cut(incoming, reply, pass) : pass()))
  front.bend(wordsOf('answers-file'), cutWords)
  await page.goto(front.url + paths.device())
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: t('device:SaveFile') }).click()
  const file = await saving
  expect((await readFile(await file.path(), 'utf8')).split('\n')[0]).toBe(front.url + paths.answersFile())
  await expect(page.getByRole('status').getByText(file.suggestedFilename())).toBeVisible({ timeout: 30_000 })
  front.bend(wordsOf('answers-file'), (_incoming, _reply, pass) => pass())
  const said = t('answers-file:FileDownloaded', { name: file.suggestedFilename() })
  await expect(page.getByRole('status').getByText(said)).toBeVisible({ timeout: 45_000 })
})

test('a first screen whose words never come says so, and is shown once they can', async ({ page, t, server, front }) => {
  test.setTimeout(150_000)
  front.bend(wordsOf('details'), noReply)
  await arriveAs(page, await newPlayer(server.url), paths.profile(), { origin: front.url })
  await expect(page.getByText(t('shell:PartSlow'))).toBeVisible({ timeout: 45_000 })
  front.mend()
  await expect(page.getByRole('heading', { name: t('profile:ProfileTitle') })).toBeVisible({ timeout: 90_000 })
})
