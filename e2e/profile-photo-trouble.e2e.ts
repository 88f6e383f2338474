import { paths } from '#app/paths.ts'
import { newPlayer } from './support/api.ts'
import { firstReplyLost, refuseWith, replyLost } from './support/front.ts'
import { expectInert } from './support/inert.ts'
import {
  arriveAs,
  expect,
  expectAccessible,
  gate,
  goOffline,
  goOnline,
  tapInVain,
  test,
  untilWorkerIsThere,
  workerTest,
} from './support/journey.ts'
import {
  choosePhoto,
  cropCircle,
  hasPicture,
  jpegOf,
  openCropStep,
  openPhotoDialog,
  photoButton,
  photoDialog,
  photoWithPlace,
  saveButton,
  servedPicture,
} from './support/photo.ts'
import { expectScreen } from './support/screens.ts'
import { toast } from './support/tokens-panel.ts'
import { wordsOf } from './support/words.ts'

/** A photo that is refused, cancelled, cut off or cannot be shown: what the person is told, and what the server has. */

test('a refused file changes nothing, and Save tries again', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openCropStep(page, t)
  await page.route('**/media/uploads/**', (route) => route.fulfill({ status: 403, body: '' }), { times: 1 })
  await saveButton(page, t).click()
  const alert = photoDialog(page, t).getByRole('alert')
  await expect(alert).toContainText('Something went wrong!')
  await expect(alert).toContainText('Upload failed: Forbidden')
  await expectAccessible(page, 'upload failed')
  expect([await hasPicture(player), await servedPicture(player)]).toEqual([false, undefined])

  await page.route('**/media/uploads/**', (route) => route.abort(), { times: 1 })
  await saveButton(page, t).click()
  await expect(alert).toContainText(t('errors:FETCH_ERROR'))
  await saveButton(page, t).click()
  await expect(photoDialog(page, t)).toBeHidden()
  expect(await hasPicture(player)).toBe(true)
})

test('closing the dialog during an upload cancels it and leaves nothing behind', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openCropStep(page, t)
  const finalized: string[] = []
  page.on('request', (request) => request.url().endsWith('/finalize') && finalized.push(request.url()))
  // no reply comes, as in a tunnel
  await page.route('**/media/uploads/**', () => undefined, { times: 1 })
  const begun = page.waitForRequest('**/media/uploads/**')
  const given = page.waitForEvent('requestfailed')
  await saveButton(page, t).click()
  await expect(photoDialog(page, t).getByRole('progressbar', { name: t('profile:PhotoUploading') })).toHaveAttribute('value', '10')
  await expect(page.getByText(t('profile:PhotoProgress', { percent: 10 }))).toBeAttached()
  await begun
  await page.keyboard.press('Escape')
  await expect(photoDialog(page, t)).toBeHidden()
  expect((await given).url()).toContain('/media/uploads/')
  await openPhotoDialog(page, t)
  await expect(photoDialog(page, t).getByRole('button', { name: t('profile:PhotoChoose') })).toBeVisible()
  expect([await hasPicture(player), await servedPicture(player), finalized]).toEqual([false, undefined, []])
})

test('a photo that fails after the person has gone back says so', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.home())
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await openCropStep(page, t)
  const { open, opened } = gate()
  await page.route('**/profile-picture/finalize', async (route) => {
    await opened
    await route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: '-', requestId: '-' } })
  })
  await saveButton(page, t).click()
  await expectInert(photoDialog(page, t).getByRole('button', { name: t('ui:Cancel') }))
  await page.keyboard.press('Escape')
  await expect(photoDialog(page, t)).toBeVisible()
  await page.goBack()
  await expectScreen(page, t, 'home', paths.home())
  open()
  await expect(toast(page, t('profile:PhotoUnsure', { reason: t('errors:UNAVAILABLE') }))).toBeVisible()
})

test('a photo whose last reply is lost may have been saved, also after a refused try', async ({ page, server, t, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await openCropStep(page, t)
  front.bend(/\/profile-picture\/finalize/, replyLost(server.url))
  await saveButton(page, t).click()
  const alert = photoDialog(page, t).getByRole('alert')
  await expect(alert).toContainText(t('profile:PhotoUnsure', { reason: t('errors:FETCH_ERROR') }))
  front.bend(/\/upload-url/, refuseWith(429, 'TOO_MANY_REQUESTS'))
  await saveButton(page, t).click()
  await expect(alert).toContainText(t('profile:PhotoUnsure', { reason: t('errors:TOO_MANY_REQUESTS') }))
  front.mend()
  await saveButton(page, t).click()
  await expect(photoDialog(page, t)).toBeHidden()
  expect(await hasPicture(player)).toBe(true)
})

test('a photo whose last request the browser repeats by itself is saved', async ({ page, server, t, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await openCropStep(page, t)
  front.bend(/\/profile-picture\/finalize/, firstReplyLost(server.url))
  await saveButton(page, t).click()
  await expect(photoDialog(page, t)).toBeHidden()
  expect(await hasPicture(player)).toBe(true)
})

test('the error is fully visible above the buttons on a phone', async ({ page, server }) => {
  const t = wordsOf('fr')
  const player = await newPlayer(server.url, { hasBought: false })
  await page.setViewportSize({ width: 360, height: 740 })
  await arriveAs(page, player, paths.profile(), { language: 'fr' })
  await openCropStep(page, t)
  await page.route('**/media/uploads/**', (route) => route.fulfill({ status: 413, body: '' }))
  await saveButton(page, t).click()
  const words = photoDialog(page, t).getByText('Payload Too Large')
  await expect(words).toBeVisible()
  const { y = 0, height = 0 } = (await words.boundingBox()) ?? {}
  const cancel = await photoDialog(page, t)
    .getByRole('button', { name: t('ui:Cancel') })
    .boundingBox()
  expect(y + height).toBeLessThanOrEqual(cancel?.y ?? 0)
})

workerTest('without a connection the photo, and then Save, say why they wait; Save works once it is back', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await expect(photoButton(page, t)).toBeVisible()
  await untilWorkerIsThere(page)
  await goOffline(page, t)
  await expect(photoButton(page, t)).toHaveAttribute('aria-disabled', 'true')
  await expect(photoButton(page, t)).toHaveAccessibleDescription(t('ui:OnlineOnlyReason'))
  await tapInVain(page, t, photoButton(page, t))
  await expect(photoDialog(page, t)).toBeHidden()
  await goOnline(page, t)

  await openPhotoDialog(page, t)
  await goOffline(page, t)
  await choosePhoto(page, t, jpegOf(await photoWithPlace()))
  await expect(cropCircle(page, t)).toBeVisible()
  await expect(saveButton(page, t)).toHaveAccessibleDescription(t('ui:OnlineOnlyReason'))
  await expect(saveButton(page, t)).toHaveAttribute('aria-disabled', 'true')
  await tapInVain(page, t, saveButton(page, t))
  await expect(cropCircle(page, t)).toBeVisible()
  await expectAccessible(page, 'crop, offline')
  await goOnline(page, t)
  await saveButton(page, t).click()
  await expect(photoDialog(page, t)).toBeHidden()
  expect(await hasPicture(player)).toBe(true)
})

test('initials replace a picture that cannot be loaded, without a broken image', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openPhotoDialog(page, t)
  await choosePhoto(page, t, jpegOf(await photoWithPlace()))
  await saveButton(page, t).click()
  await expect(photoDialog(page, t)).toBeHidden()
  // requests before the reload are not counted
  const isShown = () => [...document.images].some(({ src, naturalWidth }) => src.includes('/media/profile-pictures/') && naturalWidth > 0)
  await expect.poll(() => page.evaluate(isShown)).toBe(true)
  const tried: string[] = []
  await page.route('**/media/profile-pictures/**', (route) => {
    tried.push(route.request().url())
    return route.fulfill({ status: 404, body: '' })
  })
  await page.reload()
  // retried once with a fresh URL, then no more
  await expect.poll(() => tried.length).toBe(2)
  await expect(page.getByText('ML', { exact: true })).toBeVisible()
  await expect.poll(() => page.evaluate(() => [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).length)).toBe(0)
  expect(tried).toHaveLength(2)
})
