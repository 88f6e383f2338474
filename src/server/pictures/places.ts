import type { Deps } from '../deps.ts'
import { signedLink } from './signed-links.ts'

/** Where pictures are: their names in the store, and the addresses people get. */

const PICTURE_MINUTES = 10

export const UPLOADS = 'uploads'
export const PICTURES = 'profile-pictures'

export const uploadPath = (key: string) => `${UPLOADS}/${key}`
export const picturePath = (file: string) => `${PICTURES}/${file}`

/**
 * An address of a picture, for one viewer and for 10 minutes: less where that person may see it no longer. `t` defeats
 * caches. PROFILE-39
 */
export function pictureUrl({ keys, clock }: Deps, file: string, viewerId: string, t?: string): string {
  const now = clock.now().getTime()
  return signedLink(keys, `/media/${picturePath(file)}?t=${t ?? now}&for=${viewerId}`, new Date(now + PICTURE_MINUTES * 60_000))
}
