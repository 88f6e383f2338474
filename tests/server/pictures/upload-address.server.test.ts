import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { ask, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenPerson, newEmail } from '#tests/support/given-person.ts'
import { givenServer, startServer, type TestServer } from '#tests/support/start-server.ts'
import { addressFor, finalize, jpeg, picturesOf, put } from './support.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** API-33, SECURITY-9 */

describe('an upload URL', () => {
  const clock = movableClock()
  const server = givenServer({ clock })
  const player = givenPerson(server, 'player')

  test('INPUT-60: a foreign, used, unknown or expired key is 404', async () => {
    const thief = await signIn(server, newEmail('thief'))
    const { uploadUrl, tempKey } = await addressFor(server, player)
    await put(server, uploadUrl, jpeg)
    const replies = [await finalize(server, thief, tempKey), await finalize(server, player, `${tempKey}x`)]
    replies.push(await finalize(server, player, '../../keys.json'))
    const used = await finalize(server, player, tempKey)
    expect(used.status).toBe(200)
    replies.push(await finalize(server, player, tempKey))
    const late = await addressFor(server, player)
    await put(server, late.uploadUrl, jpeg)
    clock.forward(15 * 60 + 1)
    replies.push(await finalize(server, player, late.tempKey))
    for (const { status, body } of replies) expect([status, body.code]).toEqual([404, 'UPLOAD_NOT_FOUND'])
  })

  test('is finalised once by ten concurrent calls', async () => {
    const { uploadUrl, tempKey } = await addressFor(server, player)
    await put(server, uploadUrl, jpeg)
    const replies = await Promise.all(Array.from({ length: 10 }, () => finalize(server, player, tempKey)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await picturesOf(server, player)).toHaveLength(1)
  })

  test('accepts one PUT, with its own type, before it expires', async () => {
    const { uploadUrl } = await addressFor(server, player)
    expect((await put(server, uploadUrl, jpeg, 'image/png')).body.code).toBe('UNSUPPORTED_IMAGE')
    expect((await put(server, uploadUrl, jpeg, 'text/html')).status).toBe(415)
    expect((await put(server, `${uploadUrl}x`, jpeg)).body.code).toBe('UPLOAD_NOT_FOUND')
    expect((await put(server, uploadUrl.replace(/expires=\d+/, 'expires=9999999999'), jpeg)).status).toBe(404)
    expect((await put(server, uploadUrl, jpeg)).status).toBe(204)
    expect((await put(server, uploadUrl, jpeg)).body.code).toBe('UPLOAD_NOT_FOUND')
    const late = await addressFor(server, player)
    clock.forward(15 * 60 + 1)
    expect((await put(server, late.uploadUrl, jpeg)).status).toBe(404)
  })

  test('is refused for a while, and is no fault of ours, while the disk is full', async () => {
    const { uploadUrl } = await addressFor(server, player)
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    const receive = vi.spyOn(server.deps.media, 'receive').mockRejectedValueOnce(full)
    const { status, body, headers } = await put(server, uploadUrl, jpeg)
    expect(receive).toHaveBeenCalledOnce()
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '30'])
    const again = await addressFor(server, player)
    expect((await put(server, again.uploadUrl, jpeg)).status).toBe(204)
  })

  test('without an upload cannot be finalised, and accepts no upload after that', async () => {
    const { tempKey, uploadUrl } = await addressFor(server, player)
    expect((await finalize(server, player, tempKey)).body.code).toBe('UPLOAD_NOT_FOUND')
    expect((await put(server, uploadUrl, jpeg)).status).toBe(404)
  })

  test('is given only for JPEG, PNG and WebP', async () => {
    for (const contentType of ['image/svg+xml', 'text/html', 'image/gif', 'image/heic', 'image/jpeg; charset=x', '']) {
      const body = { filename: 'me.jpg', contentType }
      const reply = await ask(server, 'POST', 'user/profile-picture/upload-url', { bearer: player.accessToken, body })
      expect([contentType, reply.status, reply.body.code]).toEqual([contentType, 415, 'UNSUPPORTED_IMAGE'])
    }
  })

  test('is given to a user at most sixty times an hour', async () => {
    const body = { filename: 'me.jpg', contentType: 'image/jpeg' }
    const asking = { bearer: player.accessToken, body }
    const replies = await Promise.all(Array.from({ length: 61 }, () => ask(server, 'POST', 'user/profile-picture/upload-url', asking)))
    const refused = replies.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test.each(['../../x', 'a\u0000b', '\u202Egpj.exe', 'x'.repeat(300), '\ud800', '<img src=x>', 'C:\\x'])(
    'INPUT-59: a name like %j is a label and never a path',
    async (name) => {
      const { uploadUrl, tempKey } = await addressFor(server, player)
      await put(server, uploadUrl, jpeg)
      const { status, body } = await finalize(server, player, tempKey, name)
      expect(status).toBe(200)
      expect(body.locationUri).toMatch(/^\/media\/profile-pictures\/[0-9a-f]{32}\.jpg\?/)
      const [row] = await picturesOf(server, player)
      expect(String(row?.['name']).length).toBeLessThanOrEqual(255)
      expect(String(row?.['name'])).not.toMatch(/\p{C}/u)
    },
  )
})

test('an upload may take longer than REQUEST_TIMEOUT_SECONDS, which other calls may not', async () => {
  const server = await startServer({ env: { REQUEST_TIMEOUT_SECONDS: '1' } })
  const player = await signIn(server, 'slow@club.test')
  const { uploadUrl, tempKey } = await addressFor(server, player)
  const file = open(server, [`PUT ${uploadUrl} HTTP/1.1`, 'content-type: image/jpeg', `content-length: ${jpeg.length}`])
  file.line.write(jpeg.subarray(0, 100))
  const call = open(server, ['POST /api/user/auth/initiate HTTP/1.1', 'content-type: application/json', 'content-length: 100'])
  expect(await call.reply).toMatch(/^HTTP\/1.1 408 /)
  file.line.write(jpeg.subarray(100))
  expect(await file.reply).toMatch(/^HTTP\/1.1 204 /)
  expect((await finalize(server, player, tempKey)).status).toBe(200)
  await server.close()
})

test('an upload does not wait for slower ones', async () => {
  const server = await startServer()
  const player = await signIn(server, 'bus@club.test')
  for (let slow = 0; slow < 12; slow += 1) {
    const { uploadUrl } = await addressFor(server, player)
    open(server, [`PUT ${uploadUrl} HTTP/1.1`, 'content-type: image/jpeg', 'content-length: 1200000']).line.write(Buffer.alloc(1000))
  }
  const begun = async () => (await server.rows('picture_uploads')).filter(({ received_at: at }) => at !== null)
  await waitFor(async () => expect(await begun()).toHaveLength(12))
  const { uploadUrl } = await addressFor(server, player)
  expect((await put(server, uploadUrl, jpeg)).status).toBe(204)
  await server.close()
})

/** Begins an upload of 8 MB, which takes its room until it is over. */
async function openLarge(server: TestServer, player: Person) {
  const { uploadUrl } = await addressFor(server, player)
  return open(server, [`PUT ${uploadUrl} HTTP/1.1`, 'content-type: image/jpeg', `content-length: ${8 * 1024 * 1024}`])
}

const NO_ROOM = /^HTTP\/1.1 503 [^]*retry-after: 5/i

test('an upload for which there is no room is refused at once', async () => {
  const server = await startServer()
  const lines = []
  for (const name of ['one', 'two', 'three']) {
    const player = await signIn(server, `${name}@club.test`)
    for (let large = 0; large < 3; large += 1) lines.push(await openLarge(server, player))
  }
  expect(await Promise.race(lines.map(({ reply }) => reply))).toMatch(NO_ROOM)
  await server.close()
})

test('one person cannot take all the room', async () => {
  const server = await startServer()
  const [many, other] = [await signIn(server, 'many@club.test'), await signIn(server, 'other@club.test')]
  const lines = []
  for (let large = 0; large < 8; large += 1) lines.push(await openLarge(server, many))
  expect(await Promise.race(lines.map(({ reply }) => reply))).toMatch(NO_ROOM)
  expect((await put(server, (await addressFor(server, other)).uploadUrl, jpeg)).status).toBe(204)
  await server.close()
})

test('an interrupted upload leaves no file', async () => {
  const server = await startServer()
  const player = await signIn(server, 'tunnel@club.test')
  const { uploadUrl, tempKey } = await addressFor(server, player)
  const { line } = open(server, [`PUT ${uploadUrl} HTTP/1.1`, 'content-type: image/jpeg', 'content-length: 5000'])
  line.write(Buffer.alloc(1000))
  const begun = async () => {
    const found: string[] = []
    for await (const { path } of server.deps.media.list('uploads')) found.push(path)
    return found
  }
  await waitFor(async () => expect(await begun()).toHaveLength(1))
  line.destroy()
  await waitFor(async () => expect(await begun()).toEqual([]))
  expect((await finalize(server, player, tempKey)).body.code).toBe('UPLOAD_NOT_FOUND')
  await server.close()
})

/** Sends only the head of a request, so that its body can be slow. */
function open(server: TestServer, head: string[]) {
  const { host, hostname, port } = new URL(server.address)
  const line = connect(Number(port), hostname)
  line.write([...head, `host: ${host}`, '', ''].join('\r\n'))
  const reply = new Promise<string>((resolve) => line.once('data', (bytes) => resolve(String(bytes))))
  return { line, reply }
}
