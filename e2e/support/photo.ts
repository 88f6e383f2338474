import type { Page } from '@playwright/test'
import sharp, { type Sharp } from 'sharp'
import { pictures } from '#contract/pictures.ts'
import { users } from '#contract/users.ts'
import type { Person } from './api.ts'
import { expect } from './journey.ts'
import type { Words } from './words.ts'

/** Photos for the profile, its photo dialog, and what the server has of a photo afterwards. */

interface File {
  name: string
  mimeType: string
  buffer: Buffer
}

export const jpegOf = (buffer: Buffer, name = 'me.jpg'): File => ({ name, mimeType: 'image/jpeg', buffer })

/** Left half red, right half blue. */
export async function twoHalves(width: number, height: number): Promise<Sharp> {
  const red = await sharp({ create: { width: width / 2, height, channels: 3, background: '#c81e1e' } })
    .png()
    .toBuffer()
  return sharp({ create: { width, height, channels: 3, background: '#1e3cc8' } }).composite([{ input: red, gravity: 'west' }])
}

/** As a phone takes it: rotated, with its location. */
export async function photoWithPlace(): Promise<Buffer> {
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

export const photoButton = (page: Page, t: Words) =>
  page.getByRole('button', { name: t('profile:PhotoAdd') }).or(page.getByRole('button', { name: t('profile:PhotoChange') }))
export const photoDialog = (page: Page, t: Words) => page.getByRole('dialog', { name: t('profile:PhotoTitle') })
export const cropCircle = (page: Page, t: Words) => page.getByRole('application', { name: t('profile:PhotoCropLabel') })
export const saveButton = (page: Page, t: Words) => photoDialog(page, t).getByRole('button', { name: t('details:Save') })

export async function openPhotoDialog(page: Page, t: Words): Promise<void> {
  // its own words only, without the initials drawn in it
  await expect(photoButton(page, t)).toHaveAccessibleName(new RegExp(`^(${t('profile:PhotoAdd')}|${t('profile:PhotoChange')})$`))
  await photoButton(page, t).click()
  await expect(photoDialog(page, t)).toBeVisible()
}

export async function choosePhoto(page: Page, t: Words, file: File): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await photoDialog(page, t)
    .getByRole('button', { name: t('profile:PhotoChoose') })
    .click()
  await (await chooser).setFiles(file)
}

/** Opens the dialog and chooses a photo there, which can then be cropped and saved. */
export async function openCropStep(page: Page, t: Words): Promise<void> {
  await openPhotoDialog(page, t)
  await choosePhoto(page, t, jpegOf(await photoWithPlace()))
  await expect(cropCircle(page, t)).toBeVisible()
}

/** The drop of a file dragged from the desktop. */
export async function dropPhoto(page: Page, t: Words, file: File): Promise<void> {
  const files = await page.evaluateHandle(
    ({ name, mimeType, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], name, { type: mimeType }))
      return transfer
    },
    { name: file.name, mimeType: file.mimeType, base64: file.buffer.toString('base64') },
  )
  await photoDialog(page, t).getByText(t('profile:PhotoDrop')).dispatchEvent('drop', { dataTransfer: files })
}

/** The picture as the API serves it now; undefined if there is none. */
export async function servedPicture({ api, userId }: Person): Promise<Buffer | undefined> {
  const found = await api.ask(pictures.avatar, { params: { id: userId } }).catch(() => undefined)
  if (!found) return undefined
  const response = await fetch(api.url + found.url)
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  return Buffer.from(await response.arrayBuffer())
}

/** What the API says of the person. */
export const hasPicture = async ({ api, userId }: Person) => (await api.ask(users.get, { params: { id: userId } })).hasProfilePicture

type Colour = 'red' | 'blue' | 'white' | 'other'

export async function colourAt(picture: Buffer | undefined, x: number, y: number): Promise<Colour> {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const at = (Math.round(y * (info.height - 1)) * info.width + Math.round(x * (info.width - 1))) * info.channels
  const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3)
  if (r > 245 && g > 245 && b > 245) return 'white'
  if (r > 150 && b < 90) return 'red'
  return b > 150 && r < 90 ? 'blue' : 'other'
}
