import type { Page } from '@playwright/test'
import sharp, { type Sharp } from 'sharp'
import { paths } from '#app/paths.ts'
import { pictures } from '#contract/pictures.ts'
import { users } from '#contract/users.ts'
import { newPlayer, signInByApi, newAddress, type Person } from './support/api.ts'
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
import { firstReplyLost, noReply, refuseWith, replyLost } from './support/front.ts'
import { expectInert } from './support/inert.ts'
import { expectScreen } from './support/screens.ts'
import { toast } from './support/tokens-panel.ts'
import { wordsOf, type Words } from './support/words.ts'

/** Photos (PROFILE-34 to PROFILE-41) with real files, from the device to the picture that others see. */

interface File {
  name: string
  mimeType: string
  buffer: Buffer
}

const jpegOf = (buffer: Buffer, name = 'me.jpg'): File => ({ name, mimeType: 'image/jpeg', buffer })

/** Left half red, right half blue. */
async function twoHalves(width: number, height: number): Promise<Sharp> {
  const red = await sharp({ create: { width: width / 2, height, channels: 3, background: '#c81e1e' } })
    .png()
    .toBuffer()
  return sharp({ create: { width, height, channels: 3, background: '#1e3cc8' } }).composite([{ input: red, gravity: 'west' }])
}

/** As a phone takes it: rotated, with its location. */
async function photoWithPlace(): Promise<Buffer> {
  const pixels = await (await twoHalves(1600, 1200)).jpeg().toBuffer()
  return sharp(pixels)
    .keepMetadata()
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Copyright: 'Maya Lindqvist', Model: 'Her Phone' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '45/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '73/1 34/1 0/1' },
    })
    .jpeg()
    .toBuffer()
}

const photoButton = (page: Page, t: Words) =>
  page.getByRole('button', { name: t('profile:PhotoAdd') }).or(page.getByRole('button', { name: t('profile:PhotoChange') }))
const dialog = (page: Page, t: Words) => page.getByRole('dialog', { name: t('profile:PhotoTitle') })
const circle = (page: Page, t: Words) => page.getByRole('application', { name: t('profile:PhotoCropLabel') })
const save = (page: Page, t: Words) => dialog(page, t).getByRole('button', { name: t('details:Save') })

async function openDialog(page: Page, t: Words): Promise<void> {
  // its own words only, without the initials drawn in it
  await expect(photoButton(page, t)).toHaveAccessibleName(new RegExp(`^(${t('profile:PhotoAdd')}|${t('profile:PhotoChange')})$`))
  await photoButton(page, t).click()
  await expect(dialog(page, t)).toBeVisible()
}

async function choose(page: Page, t: Words, file: File): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await dialog(page, t)
    .getByRole('button', { name: t('profile:PhotoChoose') })
    .click()
  await (await chooser).setFiles(file)
}

/** The drop of a file dragged from the desktop. */
async function drop(page: Page, t: Words, file: File): Promise<void> {
  const files = await page.evaluateHandle(
    ({ name, mimeType, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], name, { type: mimeType }))
      return transfer
    },
    { name: file.name, mimeType: file.mimeType, base64: file.buffer.toString('base64') },
  )
  await dialog(page, t).getByText(t('profile:PhotoDrop')).dispatchEvent('drop', { dataTransfer: files })
}

/** The picture as the API serves it now; undefined if there is none. */
async function servedPicture({ api, userId }: Person): Promise<Buffer | undefined> {
  const found = await api.ask(pictures.avatar, { params: { id: userId } }).catch(() => undefined)
  if (!found) return undefined
  const response = await fetch(api.url + found.url)
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  return Buffer.from(await response.arrayBuffer())
}

const hasPicture = async ({ api, userId }: Person) => (await api.ask(users.get, { params: { id: userId } })).hasProfilePicture

type Colour = 'red' | 'blue' | 'white' | 'other'

async function colourAt(picture: Buffer | undefined, x: number, y: number): Promise<Colour> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const at = (Math.round(y * (info.height - 1)) * info.width + Math.round(x * (info.width - 1))) * info.channels
  const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3)
  if (r > 245 && g > 245 && b > 245) return 'white'
  if (r > 150 && b < 90) return 'red'
  return b > 150 && r < 90 ? 'blue' : 'other'
}

test('a photo with a location is dropped, cropped and shown, and the location never leaves the device', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  const withPlace = await photoWithPlace()
  expect((await sharp(withPlace).metadata()).exif?.includes('Her Phone')).toBe(true)
  await arriveAs(page, player, paths.profile())
  await openDialog(page, t)
  await expectAccessible(page, 'drop zone')

  await drop(page, t, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await expect(dialog(page, t).getByRole('alert')).toHaveText(t('profile:PhotoImagesOnly'))
  await drop(page, t, jpegOf(withPlace))
  await expect(circle(page, t)).toBeFocused()
  await expectAccessible(page, 'crop')

  const zoom = dialog(page, t).getByRole('slider', { name: t('profile:PhotoZoom') })
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
  await save(page, t).dblclick()
  await expect(dialog(page, t)).toBeHidden()
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
    await expect(circle(page, t)).toBeFocused()
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await arriveAs(page, player, paths.profile(), { language: 'fr' })
  await photoButton(page, t).focus()
  await press('Enter')
  await expect(dialog(page, t)).toBeVisible()
  const chooseButton = dialog(page, t).getByRole('button', { name: t('profile:PhotoChoose') })
  // the dialog takes the focus before the next key moves it
  await expect(dialog(page, t)).toBeFocused()
  await press('Tab')
  await expect(chooseButton).toBeFocused()
  await chooseByKey()

  // Cancel resets file, crop, zoom and preview
  const zoom = dialog(page, t).getByRole('slider', { name: t('profile:PhotoZoom') })
  await press('Tab')
  await expect(zoom).toBeFocused()
  await press('ArrowRight', 5)
  await expect(zoom).toHaveValue('1.5')
  await press('Tab', 5)
  await expect(dialog(page, t).getByRole('button', { name: t('ui:Cancel') })).toBeFocused()
  await press('Enter')
  await expect(chooseButton).toBeFocused()
  await expect(circle(page, t)).toBeHidden()

  await chooseByKey()
  await expect(zoom).toHaveValue('1')
  await press('ArrowRight', 60)
  await expectAccessible(page, 'crop, French, 390 px')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await press('Tab', 7)
  await expect(save(page, t)).toBeFocused()
  await press('Enter')
  await expect(dialog(page, t)).toBeHidden()
  const picture = await servedPicture(player)
  expect(await Promise.all([0.1, 0.5, 0.9].map((x) => colourAt(picture, x, 0.5)))).toEqual(['red', 'red', 'red'])
  expect((await sharp(picture).metadata()).width).toBe(600)
})

test('a photo is cropped by taps alone, without dragging', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openDialog(page, t)
  await choose(page, t, jpegOf(await (await twoHalves(1200, 600)).jpeg().toBuffer()))
  const left = dialog(page, t).getByRole('button', { name: t('profile:PhotoMoveLeft') })
  await expect(circle(page, t)).toBeVisible()
  for (let time = 0; time < 60; time += 1) await left.click()
  await save(page, t).click()
  await expect(dialog(page, t)).toBeHidden()
  const picture = await servedPicture(player)
  expect(await Promise.all([0.1, 0.5, 0.9].map((x) => colourAt(picture, x, 0.5)))).toEqual(['blue', 'blue', 'blue'])
})

test('a refused file changes nothing, and Save tries again', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openDialog(page, t)
  await choose(page, t, jpegOf(await photoWithPlace()))
  await expect(circle(page, t)).toBeVisible()
  await page.route('**/media/uploads/**', (route) => route.fulfill({ status: 403, body: '' }), { times: 1 })
  await save(page, t).click()
  const alert = dialog(page, t).getByRole('alert')
  await expect(alert).toContainText('Something went wrong!')
  await expect(alert).toContainText('Upload failed: Forbidden')
  await expectAccessible(page, 'upload failed')
  expect([await hasPicture(player), await servedPicture(player)]).toEqual([false, undefined])

  await page.route('**/media/uploads/**', (route) => route.abort(), { times: 1 })
  await save(page, t).click()
  await expect(alert).toContainText(t('errors:FETCH_ERROR'))
  await save(page, t).click()
  await expect(dialog(page, t)).toBeHidden()
  expect(await hasPicture(player)).toBe(true)
})

test('closing the dialog during an upload cancels it and leaves nothing behind', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openDialog(page, t)
  await choose(page, t, jpegOf(await photoWithPlace()))
  await expect(circle(page, t)).toBeVisible()
  const finalized: string[] = []
  page.on('request', (request) => request.url().endsWith('/finalize') && finalized.push(request.url()))
  // no reply comes, as in a tunnel
  await page.route('**/media/uploads/**', () => undefined, { times: 1 })
  const begun = page.waitForRequest('**/media/uploads/**')
  const given = page.waitForEvent('requestfailed')
  await save(page, t).click()
  await expect(dialog(page, t).getByRole('progressbar', { name: t('profile:PhotoUploading') })).toHaveAttribute('value', '10')
  await expect(page.getByText(t('profile:PhotoProgress', { percent: 10 }))).toBeAttached()
  await begun
  await page.keyboard.press('Escape')
  await expect(dialog(page, t)).toBeHidden()
  expect((await given).url()).toContain('/media/uploads/')
  await openDialog(page, t)
  await expect(dialog(page, t).getByRole('button', { name: t('profile:PhotoChoose') })).toBeVisible()
  expect([await hasPicture(player), await servedPicture(player), finalized]).toEqual([false, undefined, []])
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
  await openDialog(page, t)
  await asked
  front.mend()
  await choose(page, t, jpegOf(await photoWithPlace()))
  await expect(dialog(page, t).getByText(t('ui:DialogLost'))).toBeVisible({ timeout: 20_000 })
  // not under the open dialog
  const loaded = page.waitForEvent('load', { timeout: 60_000 })
  await page.keyboard.press('Escape')
  await loaded
  await openDialog(page, t)
  await choose(page, t, jpegOf(await photoWithPlace()))
  await expect(circle(page, t)).toBeVisible()
})

test('a photo that fails after the person has gone back says so', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.home())
  await page.getByRole('link', { name: t('shell:MenuProfile'), exact: true }).click()
  await openDialog(page, t)
  await choose(page, t, jpegOf(await photoWithPlace()))
  await expect(circle(page, t)).toBeVisible()
  const { open, opened } = gate()
  await page.route('**/profile-picture/finalize', async (route) => {
    await opened
    await route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: '-', requestId: '-' } })
  })
  await save(page, t).click()
  await expectInert(dialog(page, t).getByRole('button', { name: t('ui:Cancel') }))
  await page.keyboard.press('Escape')
  await expect(dialog(page, t)).toBeVisible()
  await page.goBack()
  await expectScreen(page, t, 'home', paths.home())
  open()
  await expect(toast(page, t('profile:PhotoUnsure', { reason: t('errors:UNAVAILABLE') }))).toBeVisible()
})

test('a photo whose last reply is lost may have been saved, also after a refused try', async ({ page, server, t, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await openDialog(page, t)
  await choose(page, t, jpegOf(await photoWithPlace()))
  await expect(circle(page, t)).toBeVisible()
  front.bend(/\/profile-picture\/finalize/, replyLost(server.url))
  await save(page, t).click()
  const alert = dialog(page, t).getByRole('alert')
  await expect(alert).toContainText(t('profile:PhotoUnsure', { reason: t('errors:FETCH_ERROR') }))
  front.bend(/\/upload-url/, refuseWith(429, 'TOO_MANY_REQUESTS'))
  await save(page, t).click()
  await expect(alert).toContainText(t('profile:PhotoUnsure', { reason: t('errors:TOO_MANY_REQUESTS') }))
  front.mend()
  await save(page, t).click()
  await expect(dialog(page, t)).toBeHidden()
  expect(await hasPicture(player)).toBe(true)
})

test('a photo whose last request the browser repeats by itself is saved', async ({ page, server, t, front }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile(), { origin: front.url })
  await openDialog(page, t)
  await choose(page, t, jpegOf(await photoWithPlace()))
  await expect(circle(page, t)).toBeVisible()
  front.bend(/\/profile-picture\/finalize/, firstReplyLost(server.url))
  await save(page, t).click()
  await expect(dialog(page, t)).toBeHidden()
  expect(await hasPicture(player)).toBe(true)
})

test('the error is fully visible above the buttons on a phone', async ({ page, server }) => {
  const t = wordsOf('fr')
  const player = await newPlayer(server.url, { hasBought: false })
  await page.setViewportSize({ width: 360, height: 740 })
  await arriveAs(page, player, paths.profile(), { language: 'fr' })
  await openDialog(page, t)
  await choose(page, t, jpegOf(await photoWithPlace()))
  await expect(circle(page, t)).toBeVisible()
  await page.route('**/media/uploads/**', (route) => route.fulfill({ status: 413, body: '' }))
  await save(page, t).click()
  const words = dialog(page, t).getByText('Payload Too Large')
  await expect(words).toBeVisible()
  const { y = 0, height = 0 } = (await words.boundingBox()) ?? {}
  const cancel = await dialog(page, t)
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
  await expect(dialog(page, t)).toBeHidden()
  await goOnline(page, t)

  await openDialog(page, t)
  await goOffline(page, t)
  await choose(page, t, jpegOf(await photoWithPlace()))
  await expect(circle(page, t)).toBeVisible()
  await expect(save(page, t)).toHaveAccessibleDescription(t('ui:OnlineOnlyReason'))
  await expect(save(page, t)).toHaveAttribute('aria-disabled', 'true')
  await tapInVain(page, t, save(page, t))
  await expect(circle(page, t)).toBeVisible()
  await expectAccessible(page, 'crop, offline')
  await goOnline(page, t)
  await save(page, t).click()
  await expect(dialog(page, t)).toBeHidden()
  expect(await hasPicture(player)).toBe(true)
})

test('a file that the browser cannot read is reported, and the next one is accepted', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openDialog(page, t)
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')
  for (const file of [
    { name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: heic },
    jpegOf(Buffer.from('not a picture')),
    jpegOf((await photoWithPlace()).subarray(0, 300)),
  ]) {
    await choose(page, t, file)
    await expect(dialog(page, t).getByRole('alert')).toHaveText(t('profile:PhotoUnreadable'))
  }
  await choose(page, t, { name: 'me.webp', mimeType: 'image/webp', buffer: await (await twoHalves(300, 300)).webp().toBuffer() })
  await expect(circle(page, t)).toBeVisible()
  await expect(dialog(page, t).getByRole('alert')).toHaveCount(0)
})

test('a photo of 48 megapixels is accepted', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openDialog(page, t)
  await choose(page, t, jpegOf(await (await twoHalves(8064, 6048)).jpeg().toBuffer()))
  await expect(circle(page, t)).toBeVisible({ timeout: 30_000 })
  await save(page, t).click()
  await expect(dialog(page, t)).toBeHidden()
  expect((await sharp(await servedPicture(player)).metadata()).width).toBe(1024)
})

test('a coach can have a photo too, and a new one replaces the old', async ({ page, server, t }) => {
  const coach = await signInByApi(server.url, newAddress(), 'coach')
  await arriveAs(page, coach, paths.profile())
  for (const colour of ['#c81e1e', '#1e3cc8']) {
    await openDialog(page, t)
    await choose(
      page,
      t,
      jpegOf(
        await sharp({ create: { width: 400, height: 400, channels: 3, background: colour } })
          .jpeg()
          .toBuffer(),
      ),
    )
    await save(page, t).click()
    await expect(dialog(page, t)).toBeHidden()
  }
  expect(await colourAt(await servedPicture(coach), 0.5, 0.5)).toBe('blue')
})

test('initials replace a picture that cannot be loaded, without a broken image', async ({ page, server, t }) => {
  const player = await newPlayer(server.url, { hasBought: false })
  await arriveAs(page, player, paths.profile())
  await openDialog(page, t)
  await choose(page, t, jpegOf(await photoWithPlace()))
  await save(page, t).click()
  await expect(dialog(page, t)).toBeHidden()
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
