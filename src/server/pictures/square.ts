import sharp from 'sharp'
import { PICTURE_PIXELS_MAXIMUM, PICTURE_SIDE_MAXIMUM_PX } from '#contract/constants.ts'

/** A line is decoded as a whole: one of 25 million pixels takes 600 MB. */
const SIDE_MAXIMUM = 16_384
/** Passes over the whole picture. Cameras and editors make about ten; each costs the decoder as much as a picture of that size. */
const SCANS_MAXIMUM = 100
/** Profiles and texts of a PNG, each inflated up to 50 MB before the picture. Cameras and editors write three or four. */
const INFLATED_CHUNKS_MAXIMUM = 20

export type PictureProblem = 'UNSUPPORTED_IMAGE' | 'IMAGE_TOO_LARGE' | 'IMAGE_UNREADABLE'

const QUALITY = 90
const WHITE = '#ffffff'

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] })

/**
 * Converts a JPEG, PNG or WebP to the JPEG that is stored: upright, cropped to its central square, at most 1,024 px, without
 * metadata (SECURITY-9, PROFILE-40, PRIVACY-10). Resolves to the error code if that is impossible.
 */
export async function toSquareJpeg(bytes: Buffer): Promise<Buffer | PictureProblem> {
  if (!isKnownFormat(bytes)) return 'UNSUPPORTED_IMAGE'
  if (hasManyScans(bytes) || hasManyInflatedChunks(bytes)) return 'IMAGE_UNREADABLE'
  try {
    // the size is read from the file header, without decoding the picture
    const { width, height, depth } = await sharp(bytes, { limitInputPixels: false }).metadata()
    const pixels = width * height * (depth === 'ushort' ? 2 : 1)
    if (pixels > PICTURE_PIXELS_MAXIMUM || Math.max(width, height) > SIDE_MAXIMUM) return 'IMAGE_TOO_LARGE'
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

const [MARKER, SCAN, END] = [0xff, 0xda, 0xd9]
/** Follow each other without a length: a stuffed byte of data, the restarts and the beginning. */
const isBare = (code: number) => code === 0x00 || code === 0x01 || (code >= 0xd0 && code <= 0xd8)

/** The decoder has no limit of its own: a small file of thousands of empty scans would take it minutes. */
function hasManyScans(bytes: Buffer): boolean {
  if (!bytes.subarray(0, JPEG.length).equals(JPEG)) return false
  let scans = 0
  let at = 0
  while ((at = bytes.indexOf(MARKER, at)) !== -1 && at + 3 < bytes.length) {
    const code = bytes.readUInt8(at + 1)
    if (code === MARKER) at += 1
    else if (isBare(code)) at += 2
    else if (code === END) break
    else {
      if (code === SCAN) scans += 1
      // the length counts itself, and not the marker before it
      at += 2 + bytes.readUInt16BE(at + 2)
    }
  }
  return scans > SCANS_MAXIMUM
}

const INFLATED_CHUNKS: ReadonlySet<string> = new Set(['iCCP', 'iTXt', 'zTXt'])

/** Each chunk: its length, its type, its content and a checksum. */
function hasManyInflatedChunks(bytes: Buffer): boolean {
  if (!bytes.subarray(0, PNG.length).equals(PNG)) return false
  let chunks = 0
  let at = PNG.length
  while (at + 8 < bytes.length) {
    if (INFLATED_CHUNKS.has(bytes.toString('latin1', at + 4, at + 8))) chunks += 1
    at += 12 + bytes.readUInt32BE(at)
  }
  return chunks > INFLATED_CHUNKS_MAXIMUM
}
