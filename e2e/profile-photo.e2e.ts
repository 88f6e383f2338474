import sharp from 'sharp'
import { paths } from '#app/paths.ts'
import { newPlayer, signInByApi, newAddress } from './support/api.ts'
import { noReply } from './support/front.ts'
import { arriveAs, expect, expectAccessible, test } from './support/journey.ts'
import {
  choosePhoto,
  colourAt,
  cropCircle,
  dropPhoto,
  hasPicture,
  jpegOf,
  openCropStep,
  openPhotoDialog,
  photoButton,
  photoDialog,
  photoWithPlace,
  saveButton,
  servedPicture,
  twoHalves,
} from './support/photo.ts'
import { wordsOf } from './support/words.ts'

/** A photo (PROFILE-34 to PROFILE-41) with real files, from the device to the picture that others see. */

test('a photo with a location is dropped, cropped and shown, and the location never leaves the device', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const withPlace = await photoWithPlace()
  expect((await sharp(withPlace).metadata()).exif?.includes('Her Phone')).toBe(true)
  await arriveAs(page, player, paths.profile())
  await openPhotoDialog(page, t)
  await expectAccessible(page, 'drop zone')

  await dropPhoto(page, t, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(photoDialog(page, t).getByRole('alert')).toHaveText(t('profile:PhotoImagesOnly'))
  await dropPhoto(page, t, jpegOf(withPlace))
  await expect(cropCircle(page, t)).toBeFocused()
  await expectAccessible(page, 'crop')

  const zoom = photoDialog(page, t).getByRole('slider', { name: t('profile:PhotoZoom') })
  await expect(zoom).toHaveAttribute('min', '1')
  await expect(zoom).toHaveAttribute('max', '3')
  const left: { type: string | undefined; body: Buffer }[] = []
  // the browser's tools do not show a request's file; a route does
  await page.route('**/media/uploads/**', async (route) => {
    const request = route.request()
    left.push({ type: request.headers()['content-type'], body: request.postDataBuffer() ?? Buffer.alloc(0) })
    await route.continue()
  })
  const shown = page.waitForResponse((response) => response.url().includes('/media/profile-pictures/'))
  // two taps save one picture
  await saveButton(page, t).dblclick()
  await expect(photoDialog(page, t)).toBeHidden()
  await expect(page.getByRole('button', { name: t('profile:PhotoChange') })).toBeFocused()
  expect((await shown).status()).toBe(200)
  await expect(page.getByText(t('profile:PhotoSaved'))).toBeAttached()

  expect(await hasPicture(player)).toBe(true)
  expect(left.map(({ type }) => type)).toEqual(['image/jpeg'])
  for (const picture of [left[0]?.body, await servedPicture(player)]) {
    const { exif, xmp, iptc, orientation, format, width, height } = await sharp(picture).metadata()
    expect([exif, xmp, iptc, orientation, format]).toEqual([undefined, undefined, undefined, undefined, 'jpeg'])
    expect([width, height]).toEqual([1024, 1024])
    for (const trace of ['Her Phone', 'Maya', 'Exif']) expect(picture?.includes(trace)).toBe(false)
    // orientation 6: the left half is on top; and the picture is round
    expect(await Promise.all([colourAt(picture, 0.5, 0.1), colourAt(picture, 0.5, 0.9)])).toEqual(['red', 'blue'])
    expect(await Promise.all([0, 1].flatMap((x) => [0, 1].map((y) => colourAt(picture, x, y))))).toEqual(Array(4).fill('white'))
  }
})

test('a photo is chosen and cropped by keyboard alone, in French, on a phone', async ({ page, server }) => {
  const t = wordsOf('fr')
  const player = await newPlayer(server.url, { hasBought: false })
  const press = async (key: string, times = 1) => {
    for (let time = 0; time < times; time += 1) await page.keyboard.press(key)
  }
  const halves = jpegOf(await (await twoHalves(1200, 600)).jpeg().toBuffer())
  // listens from the start: a listener added at the key press may be too late
  page.on('filechooser', (chooser) => void chooser.setFiles(halves))
  const chooseByKey = async () => {
    await press('Enter')
    await expect(cropCircle(page, t)).toBeFocused()
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await arriveAs(page, player, paths.profile(), { language: 'fr' })
  await photoButton(page, t).focus()
  await press('Enter')
  await expect(photoDialog(page, t)).toBeVisible()
  const chooseButton = photoDialog(page, t).getByRole('button', { name: t('profile:PhotoChoose') })
  // the dialog takes the focus before the next key moves it
  await expect(photoDialog(page, t)).toBeFocused()
  await press('Tab')
  await expect(chooseButton).toBeFocused()
  await chooseByKey()

  // Cancel resets file, crop, zoom and preview
  const zoom = photoDialog(page, t).getByRole('slider', { name: t('profile:PhotoZoom') })
  await press('Tab')
  await expect(zoom).toBeFocused()
  await press('ArrowRight', 5)
  await expect(zoom).toHaveValue('1.5')
  await press('Tab', 5)
  await expect(photoDialog(page, t).getByRole('button', { name: t('ui:Cancel') })).toBeFocused()
  await press('Enter')
  await expect(chooseButton).toBeFocused()
  await expect(cropCircle(page, t)).toBeHidden()

  await chooseByKey()
  await expect(zoom).toHaveValue('1')
  await press('ArrowRight', 60)
  await expectAccessible(page, 'crop, French, 390 px')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await press('Tab', 7)
  await expect(saveButton(page, t)).toBeFocused()
  await press('Enter')
  await expect(photoDialog(page, t)).toBeHidden()
  const picture = await servedPicture(player)
  expect(await Promise.all([0.1, 0.5, 0.9].map((x) => colourAt(picture, x, 0.5)))).toEqual(['red', 'red', 'red'])
  expect((await sharp(picture).metadata()).width).toBe(600)
})

test('a photo is cropped by taps alone, without dragging', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openPhotoDialog(page, t)
  await choosePhoto(page, t, jpegOf(await (await twoHalves(1200, 600)).jpeg().toBuffer()))
  const left = photoDialog(page, t).getByRole('button', { name: t('profile:PhotoMoveLeft') })
  await expect(cropCircle(page, t)).toBeVisible()
  for (let time = 0; time < 60; time += 1) await left.click()
  await saveButton(page, t).click()
  await expect(photoDialog(page, t)).toBeHidden()
  const picture = await servedPicture(player)
  expect(await Promise.all([0.1, 0.5, 0.9].map((x) => colourAt(picture, x, 0.5)))).toEqual(['blue', 'blue', 'blue'])
})

test('a photo can be cropped once the cropper can be fetched, also if its request is never answered', async ({
  page,
  server,
  t,
  front,
}) => {
  test.setTimeout(120_000)
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  const cropper = /\/assets\/round-crop-.*\.js/
  front.bend(cropper, noReply)
  const asked = page.waitForRequest(cropper)
  await openPhotoDialog(page, t)
  await asked
  front.mend()
  await choosePhoto(page, t, jpegOf(await photoWithPlace()))
  await expect(photoDialog(page, t).getByText(t('ui:DialogLost'))).toBeVisible({ timeout: 20_000 })
  // not under the open dialog
  const loaded = page.waitForEvent('load', { timeout: 60_000 })
  await page.keyboard.press('Escape')
  await loaded
  await openCropStep(page, t)
})

test('a file that the browser cannot read is reported, and the next one is accepted', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openPhotoDialog(page, t)
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')
  for (const file of [
    { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: heic },
    jpegOf(Buffer.from('not a picture')),
    jpegOf((await photoWithPlace()).subarray(0, 300)),
  ]) {
    await choosePhoto(page, t, file)
    await expect(photoDialog(page, t).getByRole('alert')).toHaveText(t('profile:PhotoUnreadable'))
  }
  await choosePhoto(page, t, { name: 'me.webp', mimeType: 'image/webp', buffer: await (await twoHalves(300, 300)).webp().toBuffer() })
  await expect(cropCircle(page, t)).toBeVisible()
  await expect(photoDialog(page, t).getByRole('alert')).toHaveCount(0)
})

test('a photo of 48 megapixels is accepted', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openPhotoDialog(page, t)
  await choosePhoto(page, t, jpegOf(await (await twoHalves(8064, 6048)).jpeg().toBuffer()))
  await expect(cropCircle(page, t)).toBeVisible({ timeout: 30_000 })
  await saveButton(page, t).click()
  await expect(photoDialog(page, t)).toBeHidden()
  expect((await sharp(await servedPicture(player)).metadata()).width).toBe(1024)
})

test('a coach can have a photo too, and a new one replaces the old', async ({ page, server, t }) => {
  const coach = await signInByApi(server.url, newAddress(), 'coach')
  await arriveAs(page, coach, paths.profile())
  for (const colour of ['#c81e1e', '#1e3cc8']) {
    await openPhotoDialog(page, t)
    await choosePhoto(
      page,
      t,
      jpegOf(
        await sharp({ create: { width: 400, height: 400, channels: 3, background: colour } })
          .jpeg()
          .toBuffer(),
      ),
    )
    await saveButton(page, t).click()
    await expect(photoDialog(page, t)).toBeHidden()
  }
  expect(await colourAt(await servedPicture(coach), 0.5, 0.5)).toBe('blue')
})
