import { randomUUID } from 'node:crypto'
import { s3Of } from '#server/env.ts'
import { errorCode } from '#server/error-code.ts'
import type { Variables } from '#server/env-variables.ts'
import { s3Media } from '#server/outside/media-s3.ts'
import type { Media } from '#server/outside/media.ts'
import { textOf } from '../exit.ts'
import { error, ok, warning, type Finding } from './finding.ts'
import { TIMEOUT_MS } from './reply-timeout.ts'

/** Which setting an error of the store is about, and what to do. */
const S3_ADVICE: Record<string, { setting: keyof Variables; advice: string }> = {
  InvalidAccessKeyId: { setting: 'S3_ACCESS_KEY_ID', advice: 'Correct S3_ACCESS_KEY_ID.' },
  SignatureDoesNotMatch: { setting: 'S3_SECRET_ACCESS_KEY', advice: 'Correct S3_SECRET_ACCESS_KEY.' },
  NoSuchBucket: { setting: 'S3_BUCKET', advice: 'Make the bucket, or correct S3_BUCKET.' },
  AccessDenied: { setting: 'S3_ACCESS_KEY_ID', advice: 'Let this key put, get, list and delete objects of the bucket.' },
  RequestTimeTooSkewed: { setting: 'S3_ENDPOINT', advice: 'The clock of this machine is wrong: set it with a time service (NTP).' },
  PermanentRedirect: { setting: 'S3_REGION', advice: 'Correct S3_REGION.' },
  AuthorizationHeaderMalformed: { setting: 'S3_REGION', advice: 'Correct S3_REGION.' },
  NoSuchKey: { setting: 'S3_ENDPOINT', advice: 'S3_ENDPOINT is the address of the store alone: take the bucket out of it.' },
}
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/
const UNTRUSTED_ADVICE = {
  setting: 'S3_ENDPOINT',
  advice: 'Its certificate is not trusted here: add its authority through NODE_EXTRA_CA_CERTS.',
}
const OTHER_S3_ADVICE = { setting: 'S3_ENDPOINT', advice: 'Check S3_ENDPOINT, S3_REGION and the network.' }

/** Writes, reads, lists and removes an object, and asks whether browsers may upload. */
export async function checkPictures(set: Variables): Promise<Finding[]> {
  const s3 = s3Of(set)
  if (!s3) return [ok('S3_BUCKET', 'Pictures are stored in DATA_DIR.')]
  const media = s3Media({ ...s3, timeoutMs: TIMEOUT_MS })
  const path = `uploads/doctor-${randomUUID()}`
  const content = Buffer.from('touchline doctor')
  try {
    await media.write(path, content, 'text/plain')
    const read = await media.read(path, 1000)
    await media.remove(path)
    for await (const _ of media.list('uploads')) break
    if (typeof read === 'string' || !read.equals(content))
      return [error('S3_BUCKET', 'The store returned something else than was put there.')]
  } catch (problem) {
    const cause = problem instanceof Error ? problem.cause : undefined
    const name = cause instanceof Error ? cause.name : ''
    const { setting, advice } = S3_ADVICE[name] ?? (UNTRUSTED.test(errorCode(cause) ?? '') ? UNTRUSTED_ADVICE : OTHER_S3_ADVICE)
    return [error(setting, `The object store: ${textOf(cause)} (${name}). ${advice}`)]
  }
  const found = [ok('S3_BUCKET', `${s3.bucket} takes, gives back, lists and deletes objects.`)]
  const url = await media.presign?.(path, { contentType: 'image/jpeg', bytes: 1 }, 60)
  if (url === undefined) return found
  if (set.PUBLIC_URL !== undefined) found.push(await checkUploads(url, new URL(set.PUBLIC_URL).origin))
  return [...found, ...(await checkSizes(media, path, url))]
}

/** Whether the store refuses a file of another size than was signed. */
async function checkSizes(media: Media, path: string, url: string): Promise<Finding[]> {
  const put = (body: string) =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': 'image/jpeg' }, signal: AbortSignal.timeout(TIMEOUT_MS) })
  try {
    const [right, larger] = [await put('x'), await put('xx')]
    if (larger.ok)
      return [warning('S3_BUCKET', 'It stores files of another size than was signed for: people can fill it. Use another store.')]
    return right.ok ? [] : [error('S3_BUCKET', `It refuses an upload as a browser makes it, with status ${right.status}.`)]
  } finally {
    await media.remove(path)
  }
}

async function checkUploads(url: string, origin: string): Promise<Finding> {
  const headers = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' }
  const reply = await fetch(url, { method: 'OPTIONS', headers, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
  const allowed = reply?.headers.get('access-control-allow-origin')
  if (allowed === origin || allowed === '*') return ok('S3_BUCKET', `Browsers at ${origin} may upload to it.`)
  return warning('S3_BUCKET', `Its CORS does not let browsers at ${origin} upload: allow PUT with content-type from there.`)
}
