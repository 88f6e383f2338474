import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Profile pictures. DATA-4, PROFILE-35, API-33, API-34 */

/** What may be uploaded; anything else is refused by its bytes, whatever it is called (SECURITY-9). */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

// what the person calls it is a label and never a path, so it may be anything (INPUT-59) that can be stored
const label = z.string().check(
  z.maxLength(1000),
  z.overwrite((text) => text.replaceAll(/[\0\p{Cs}]/gu, '')),
)

/** What an upload needs. DATA-4 */
export const pictureUpload = z.object({
  /** takes one PUT of the file, Content-Type set to its type; a path of the media host, or an address elsewhere */
  uploadUrl: z.string(),
  tempKey: z.string(),
})
export type PictureUpload = z.output<typeof pictureUpload>

export const pictures = {
  /** The address lives 15 minutes, for one file of this type and at most 8 MB. */
  uploadUrl: endpoint({
    method: 'POST',
    path: 'user/profile-picture/upload-url',
    access: ['player', 'coach'],
    body: z.strictObject({ filename: label, contentType: z.string().check(z.maxLength(200)) }),
    reply: pictureUpload,
    errors: ['UNSUPPORTED_IMAGE'],
    summary: 'An address that takes one picture',
  }),
  /** Decodes the uploaded bytes and stores a square JPEG without metadata; a key works once, for whoever asked for it. */
  finalize: endpoint({
    method: 'POST',
    path: 'user/profile-picture/finalize',
    access: ['player', 'coach'],
    body: z.strictObject({ tempKey: z.string().check(z.minLength(1), z.maxLength(200)), name: label, documentFormat: label }),
    reply: z.object({ documentId: z.string(), locationUri: z.string(), fileSizeBytes: z.number() }),
    errors: ['UPLOAD_NOT_FOUND', 'UNSUPPORTED_IMAGE', 'IMAGE_TOO_LARGE', 'IMAGE_UNREADABLE'],
    changes: ['User'],
    summary: 'Make an uploaded file the own profile picture',
  }),
  /** The own one, or a player’s for the coach who gave that player an assessment. The address is signed and lives 10 minutes. */
  avatar: endpoint({
    method: 'GET',
    path: 'user/{id}/avatar',
    access: ['player', 'coach'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
    /** `t` defeats caches: as given, or the current time. PROFILE-39 */
    query: z.strictObject({ t: z.optional(z.string().check(z.regex(/^\d{1,20}$/))) }),
    reply: z.object({ url: z.string() }),
    errors: [],
    tag: 'User',
    summary: 'Where the profile picture of a person is, for a while',
  }),
}
