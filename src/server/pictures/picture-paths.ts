import { MINUTE_MS } from '#contract/rules/dates.ts'
import type { Deps } from '../deps.ts'
import { signedLink } from './signed-links.ts'

/** The paths of pictures in the object store, and their URLs. */

const PICTURE_MINUTES = 10

export const UPLOADS = 'uploads'
export const PICTURES = 'profile-pictures'

export const uploadPath = (key: string) => `${UPLOADS}/${key}`
export const picturePath = (file: string) => `${PICTURES}/${file}`

/**
 * The URL of a picture, for one viewer, valid for 10 minutes or until the viewer may no longer see it. `t` defeats caches.
 * PROFILE-39
 */
export function pictureUrl({ keys, clock }: Deps, file: string, viewerId: string, t?: string): string {
  const now = clock.now().getTime()
  return signedLink(keys, `/media/${picturePath(file)}?t=${t ?? now}&for=${viewerId}`, new Date(now + PICTURE_MINUTES * MINUTE_MS))
}
