import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Profile pictures. DATA-4, PROFILE-35, API-33, API-34 */

/** The formats that may be uploaded, recognised by their bytes and not by the file's name (SECURITY-9). */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const

// the file's name is a label and never a path, so it may be any text that can be stored (INPUT-59)
const label = z.string().check(
  z.maxLength(1000),
  z.overwrite((text) => text.replaceAll(/[\0\p{Cs}]/gu, '')),
)

/** Where to upload one picture. DATA-4 */
const pictureUpload = z.object({
  /** accepts one PUT of the file, with its type as Content-Type; a path of the media host, or the URL of another host, for the size that was named */
  uploadUrl: z.string(),
  /** identifies the upload in `finalize` */
  tempKey: z.string(),
})
export type PictureUpload = z.output<typeof pictureUpload>

export const pictures = {
  /**
   * A URL that accepts one file of this type and at most 8 MB, for 15 minutes. 415 UNSUPPORTED_IMAGE for any other type. Whoever names
   * the size can be given a URL of the object store, which accepts exactly this size; 413 IMAGE_TOO_LARGE if it is more than 8 MB.
   */
  uploadUrl: endpoint({
    method: 'POST',
    path: 'user/profile-picture/upload-url',
    access: ['player', 'coach'],
    body: z.strictObject({
      filename: label,
      contentType: z.string().check(z.maxLength(200)),
      /** exact; older portals name none */
      fileSizeBytes: z.optional(z.int().check(z.gte(1))),
    }),
    reply: pictureUpload,
    errors: ['UNSUPPORTED_IMAGE', 'IMAGE_TOO_LARGE'],
    summary: 'Create a URL for uploading one picture',
  }),
  /**
   * Makes an upload the caller's profile picture: a square JPEG without metadata. Each key works once, and only for the user who
   * requested it; 404 UPLOAD_NOT_FOUND otherwise.
   */
  finalize: endpoint({
    method: 'POST',
    path: 'user/profile-picture/finalize',
    access: ['player', 'coach'],
    body: z.strictObject({ tempKey: z.string().check(z.minLength(1), z.maxLength(200)), name: label, documentFormat: label }),
    reply: z.object({ documentId: z.string(), locationUri: z.string(), fileSizeBytes: z.number() }),
    errors: ['UPLOAD_NOT_FOUND', 'UNSUPPORTED_IMAGE', 'IMAGE_TOO_LARGE', 'IMAGE_UNREADABLE'],
    changes: ['User'],
    isRepliedOnce: true,
    summary: 'Use an uploaded file as your profile picture',
  }),
  /**
   * A signed URL, valid for 10 minutes, of the caller's own picture, or for a coach that of a player they allocated an assessment to.
   * 404 if there is no picture or the caller may not see it.
   */
  avatar: endpoint({
    method: 'GET',
    path: 'user/{id}/avatar',
    access: ['player', 'coach'],
    params: z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(100)) }),
    /** `t` becomes part of the URL, so that a new picture is not read from a cache; by default the current time. PROFILE-39 */
    query: z.strictObject({ t: z.optional(z.string().check(z.regex(/^\d{1,20}$/))) }),
    reply: z.object({ url: z.string() }),
    errors: [],
    tag: 'User',
    summary: 'Temporary URL of a profile picture',
  }),
}
