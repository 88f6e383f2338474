import sharp, { type Sharp } from 'sharp'
import type { PictureUpload } from '#contract/pictures.ts'
import { ask, type Reply, type Person } from '#tests/support/person.ts'
import type { TestServer } from '#tests/support/start-server.ts'

interface Finalized {
  documentId: string
  locationUri: string
  fileSizeBytes: number
  code?: string
}

/** A picture of one colour. */
export function picture(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: '#1b7a4a' } })
}

/** A picture as a file, for tests to which any will do. */
export const jpeg = await picture(300, 200).jpeg().toBuffer()

export function askAddress(server: TestServer, person: Person, fileSizeBytes?: number, contentType = 'image/jpeg') {
  const body = { filename: 'me.jpg', contentType, fileSizeBytes }
  return ask<PictureUpload & { code?: string }>(server, 'POST', 'user/profile-picture/upload-url', { bearer: person.accessToken, body })
}

/** Asks for an upload URL, without naming a size as older portals do. */
export async function addressFor(server: TestServer, person: Person, contentType = 'image/jpeg'): Promise<PictureUpload> {
  return (await askAddress(server, person, undefined, contentType)).body
}

/** Uploads a file as a browser does: a PUT with the type of the file as Content-Type. API-33 */
export async function put(
  server: TestServer,
  uploadUrl: string,
  file: Buffer | string,
  contentType = 'image/jpeg',
): Promise<Reply<{ code: string }>> {
  const headers = { 'content-type': contentType }
  const response = await fetch(new URL(uploadUrl, server.address), { method: 'PUT', headers, body: file as BodyInit }) // a Buffer is one
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: (text === '' ? {} : JSON.parse(text)) as { code: string } }
}

export function finalize(server: TestServer, person: Person, tempKey: string, name = 'me.jpg'): Promise<Reply<Finalized>> {
  const body = { tempKey, name, documentFormat: 'image/jpeg' }
  return ask<Finalized>(server, 'POST', 'user/profile-picture/finalize', { bearer: person.accessToken, body })
}

/** The whole upload: URL, file, finalising. */
export async function upload(
  server: TestServer,
  person: Person,
  file: Buffer | string,
  contentType = 'image/jpeg',
): Promise<Reply<Finalized>> {
  const { uploadUrl, tempKey } = await addressFor(server, person, contentType)
  const sent = await put(server, uploadUrl, file, contentType)
  if (sent.status !== 204) return { ...sent, body: { ...sent.body, documentId: '', locationUri: '', fileSizeBytes: 0 } }
  return finalize(server, person, tempKey)
}

export function avatarOf(server: TestServer, asking: Person, userId: string, query = ''): Promise<Reply<{ url: string; code?: string }>> {
  return ask<{ url: string }>(server, 'GET', `user/${userId}/avatar${query}`, { bearer: asking.accessToken })
}

/** Says in a profile whether its owner has a picture. */
export function claim(server: TestServer, person: Person, hasProfilePicture: boolean) {
  const asking = { bearer: person.accessToken, body: { hasProfilePicture } }
  return ask<{ hasProfilePicture: boolean; fields: Record<string, string> }>(server, 'PATCH', `user/${person.userId}`, asking)
}

/** The rows of a person's pictures. */
export async function picturesOf(server: TestServer, person: Person) {
  return (await server.rows('pictures')).filter((row) => row['user_id'] === person.userId)
}

/** The status, headers and bytes that are served at a URL. */
export async function get(server: TestServer, url: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(new URL(url, server.address))
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}
