import { PHOTO_JPEG_QUALITY, PHOTO_PREVIEW_SIDE_PX, PHOTO_WORKING_SIDE_PX } from '#app/constants.ts'
import { PICTURE_SIDE_MAXIMUM_PX } from '#contract/constants.ts'

/** Reads, previews and crops a photo on the device. PROFILE-35 */

export interface OpenPhoto {
  /** the whole photo, scaled down to PHOTO_WORKING_SIDE_PX: what is cropped */
  source: ImageBitmap
  /** what is shown while cropping */
  previewUrl: string
  name: string
}

/** A part of a photo, in percent of its width and height. */
export interface CropArea {
  x: number
  y: number
  width: number
  height: number
}

/** The browser cannot read the file: it is damaged, no picture, or in an unknown format. */
class PhotoUnreadable extends Error {}

const PHOTO_TYPE = 'image/jpeg'
const PREVIEW_QUALITY = 0.9
const WHITE = '#ffffff'

/** Opens a photo upright and scaled down to fit a phone's memory. Rejects with PhotoUnreadable. */
export async function openPhoto(file: File): Promise<OpenPhoto> {
  const url = URL.createObjectURL(file)
  try {
    const image = await loaded(url)
    const source = await bitmapOf(file, image)
    const preview = await jpegOf(draw(source, within(source, PHOTO_PREVIEW_SIDE_PX)), PREVIEW_QUALITY)
    return { source, previewUrl: URL.createObjectURL(preview), name: file.name }
  } catch (cause) {
    throw new PhotoUnreadable(undefined, { cause })
  } finally {
    URL.revokeObjectURL(url)
  }
}

export function closePhoto({ source, previewUrl }: OpenPhoto): void {
  source.close()
  URL.revokeObjectURL(previewUrl)
}

/** The inside of the circle on white, as a JPEG of at most PICTURE_SIDE_MAXIMUM_PX and without the file's metadata. */
export async function cropPhoto({ source }: OpenPhoto, area: CropArea): Promise<Blob> {
  const { x, y, side } = squareIn(area, source)
  const size = Math.min(side, PICTURE_SIDE_MAXIMUM_PX)
  const { canvas, context } = whiteCanvas({ width: size, height: size })
  context.beginPath()
  // one pixel larger than the circle on screen, so that no white shows at its edge
  context.arc(size / 2, size / 2, size / 2 + 1, 0, 2 * Math.PI)
  context.clip()
  context.drawImage(source, x, y, side, side, 0, 0, size, size)
  return jpegOf(canvas, PHOTO_JPEG_QUALITY)
}

/** An area in percent as a square of whole pixels, at least one, inside the picture. */
export function squareIn(area: CropArea, { width, height }: { width: number; height: number }): { x: number; y: number; side: number } {
  const wanted = Math.round(Math.min((area.width / 100) * width, (area.height / 100) * height))
  const side = Math.max(1, Math.min(wanted, width, height))
  const place = (percent: number, length: number) => Math.max(0, Math.min(Math.round((percent / 100) * length), length - side))
  return { x: place(area.x, width), y: place(area.y, height), side }
}

interface Size {
  width: number
  height: number
}

/** A size scaled down so that no side is longer than this. */
export function within({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

async function loaded(url: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = url
  await new Promise((resolve, reject) => {
    image.addEventListener('load', resolve, { once: true })
    image.addEventListener('error', reject, { once: true })
  })
  return image
}

/** Scales down while decoding, or by drawing if the browser cannot do that for this file. */
async function bitmapOf(file: File, image: HTMLImageElement): Promise<ImageBitmap> {
  const { width, height } = within({ width: image.naturalWidth, height: image.naturalHeight }, PHOTO_WORKING_SIDE_PX)
  const resize: ImageBitmapOptions = { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' }
  return createImageBitmap(file, resize).catch(() => createImageBitmap(draw(image, { width, height })))
}

function draw(picture: CanvasImageSource, size: Size): HTMLCanvasElement {
  const { canvas, context } = whiteCanvas(size)
  context.drawImage(picture, 0, 0, size.width, size.height)
  return canvas
}

/** White, as a JPEG has no transparency. */
function whiteCanvas({ width, height }: Size): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { alpha: false })
  if (!context) throw new Error('this browser has no 2D canvas')
  context.fillStyle = WHITE
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  return { canvas, context }
}

function jpegOf(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The canvas gave no file'))), PHOTO_TYPE, quality)
  })
}
