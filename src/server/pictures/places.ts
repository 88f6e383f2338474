import type { Deps } from '../deps.ts'
import { signedLink } from './signed-links.ts'

/** Where pictures are: their names in the store, and the addresses people get. */

const PICTURE_MINUTES = 10

export const UPLOADS = 'uploads'
export const PICTURES = 'profile-pictures'

export const uploadPath = (key: string) => `${UPLOADS}/${key}`
export const picturePath = (file: string) => `${PICTURES}/${file}`

/** An address of a picture for 10 minutes; `t` defeats caches. §3 Picture upload */
export function pictureUrl({ keys, clock }: Deps, file: string, t?: string): string {
  const now = clock.now().getTime()
  return signedLink(keys, `/media/${picturePath(file)}?t=${t ?? now}`, new Date(now + PICTURE_MINUTES * 60_000))
}
