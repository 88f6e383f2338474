import * as z from 'zod/mini'
import { RESPONSES_MAXIMUM, REVISION_MAXIMUM } from '../constants.ts'

/**
 * The answers file (decision 0047): readable lines, then a sealed part that only the server can open. Made on the device, read by
 * the server; the screen that brings it back reads the header alone.
 */

/** Characters of what is sent of a file; the largest one made has less than a fifth of this. */
export const FILE_MAXIMUM = 200_000
/** Ids of saves and files in `known`. */
export const KNOWN_MAXIMUM = 20

const text = z.string().check(z.maxLength(100))

/** What the seal covers but does not hide: whose file it is, and what may be said of it before it is opened. */
const fileHeader = z.object({
  alg: z.literal('dir'),
  enc: z.literal('A256GCM'),
  /** the instance */
  kid: text,
  /** the server that can open it */
  iss: text,
  /** the player's user id */
  sub: text,
  contentVersion: text,
  /** number of answered questions */
  answers: z.int().check(z.gte(0), z.lte(RESPONSES_MAXIMUM)),
  /** epoch ms by the server's clock as far as the device knows it, for people only */
  savedAt: z.number(),
})
export type FileHeader = z.output<typeof fileHeader>

const revision = z.int().check(z.gte(0), z.lte(REVISION_MAXIMUM))

/** One group as the device that made the file had it. */
const row = z.object({
  questionId: text,
  sectionName: text,
  value: z.record(text, z.nullable(text)),
  /** the revision that the edit was based on, and the last one that this device has a receipt of; 0 if there was none */
  base: revision,
  receipt: revision,
  /** place of this edit in the order of all edits of the device; missing in files of older builds */
  order: z.optional(z.int().check(z.gte(0))),
  /** the receipt is for this edit */
  isAcknowledged: z.boolean(),
})
export type FileRow = z.output<typeof row>

/** What is sealed: every group that was answered on one device. `id` is the operation id of the save that the file becomes. */
export const fileContent = z.object({
  id: z.uuid(),
  device: z.uuid(),
  rows: z.array(row).check(z.maxLength(RESPONSES_MAXIMUM)),
  /** saves under way and files that this device made before: what they wrote counts as seen */
  known: z.array(z.uuid()).check(z.maxLength(KNOWN_MAXIMUM)),
  /** the save that was under way when the file was made: it has older answers, so it must not be stored after the file */
  saving: z.nullable(z.uuid()),
})
export type FileContent = z.output<typeof fileContent>

// base64url of `{"alg":"dir"`, with which every header begins
const START = 'eyJhbGciOiJkaXIi'
const BASE64URL = /^[\w-]+$/
const IV = /^[\w-]{16}$/
const TAG = /^[\w-]{22}/

/**
 * The sealed part of a file's text, whatever line breaks and quote marks a mail program has added. 'cut': one begins but is not
 * whole. undefined: none.
 */
export function sealedPartOf(text: string): { sealed: string } | 'cut' | undefined {
  // "=" ends the lines of a mail that was saved undecoded
  const joined = text.replace(/[\s>=\u200B\uFEFF]+/g, '')
  const parts = joined.split('.')
  for (const [at, part] of parts.entries()) {
    const header = headerAtEndOf(part)
    // a compact JWE whose key is agreed: header, no key, 12 bytes, ciphertext, 16 bytes
    const [key, iv = '', ciphertext = '', rest = ''] = parts.slice(at + 1, at + 5)
    const [tag] = TAG.exec(rest) ?? []
    if (header !== undefined && key === '' && IV.test(iv) && BASE64URL.test(ciphertext) && tag !== undefined)
      return { sealed: [header, key, iv, ciphertext, tag].join('.') }
  }
  return joined.includes(START) ? 'cut' : undefined
}

/** Without one regular expression for all of it, which takes seconds for a text of many beginnings. */
function headerAtEndOf(part: string): string | undefined {
  if (!part.includes(START)) return undefined
  let from = part.length
  while (from > 0 && BASE64URL.test(part.charAt(from - 1))) from -= 1
  const start = part.indexOf(START, from)
  return start === -1 ? undefined : part.slice(start)
}

/** The header of a sealed part, decoded from its first piece; undefined if it is not one of ours. Proves nothing. */
export function headerFrom(json: string): FileHeader | undefined {
  try {
    return fileHeader.safeParse(JSON.parse(json)).data
  } catch {
    return undefined
  }
}
