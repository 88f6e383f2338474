import type Sharp from 'sharp'
import { PICTURE_PIXELS_MAXIMUM, PICTURE_SIDE_MAXIMUM_PX } from '#contract/constants.ts'

export type PictureProblem = 'UNSUPPORTED_IMAGE' | 'IMAGE_TOO_LARGE' | 'IMAGE_UNREADABLE'

const QUALITY = 90
const WHITE = '#ffffff'

let loading: Promise<typeof Sharp> | undefined

/** The decoder is native and large, so it is loaded with the first picture. Only three formats are enabled. */
function decoder(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] })
    return sharp
  })
  return loading
}

/**
 * Converts a JPEG, PNG or WebP to the JPEG that is stored: upright, cropped to its central square, at most 1,024 px, without
 * metadata (SECURITY-9, PROFILE-40, PRIVACY-10). Resolves to the error code if that is impossible.
 */
export async function toSquareJpeg(bytes: Buffer): Promise<Buffer | PictureProblem> {
  if (!isKnownFormat(bytes)) return 'UNSUPPORTED_IMAGE'
  const sharp = await decoder()
  try {
    // the size is read from the file header, without decoding the picture
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > PICTURE_PIXELS_MAXIMUM) return 'IMAGE_TOO_LARGE'
    const side = Math.min(width, height, PICTURE_SIDE_MAXIMUM_PX)
    return await sharp(bytes, { limitInputPixels: PICTURE_PIXELS_MAXIMUM, failOn: 'error' })
      .autoOrient()
      .resize(side, side, { fit: 'cover' })
      .flatten({ background: WHITE })
      .jpeg({ quality: QUALITY })
      .toBuffer()
  } catch {
    // the decoder reports a broken file only by throwing
    return 'IMAGE_UNREADABLE'
  }
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff])
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function isKnownFormat(bytes: Buffer): boolean {
  const startsWith = (signature: Buffer) => bytes.subarray(0, signature.length).equals(signature)
  return startsWith(JPEG) || startsWith(PNG) || (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
}
