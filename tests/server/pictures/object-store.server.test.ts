import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { pictureUploads } from '#server/db/schema/pictures.ts'
import { sendJob } from '#server/job-engine/engine.ts'
import { MediaError } from '#server/outside/media.ts'
import { sweepPictures } from '#server/pictures/sweep.ts'
import { movableClock, signIn, type Person } from '#tests/support/person.ts'
import { newEmail } from '#tests/support/given-person.ts'
import { startServer, type TestServer } from '#tests/support/start-server.ts'
import { S3_KEYS, startFakeS3, type FakeS3 } from './fake-s3.ts'
import { addressFor, askAddress, avatarOf, claim, finalize, get, jpeg, put } from './support.ts'
import { waitFor } from '#tests/support/wait-for.ts'

/** Pictures in a bucket, as in production: browsers PUT directly to the store, to a URL signed for one file of one size. */

const clock = movableClock()
let store: FakeS3
let portal: string
let server: TestServer
let player: Person

beforeAll(async () => {
  store = await startFakeS3()
  const { region, bucket, accessKeyId, secretAccessKey } = S3_KEYS
  portal = `${await mkdtemp(join(tmpdir(), 'touchline-portal-'))}/`
  await writeFile(join(portal, 'index.html'), '<!doctype html><title>Touchline</title>')
  server = await startServer({
    clock,
    files: portal,
    env: {
      S3_ENDPOINT: store.endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  })
  // the server writes this file as it starts
  await waitFor(() => expect([...store.objects.keys()]).toEqual(['audit/heads.json']))
})
afterAll(async () => {
  await server.close()
  await store.close()
  await rm(portal, { recursive: true, force: true })
})
beforeEach(async () => {
  store.objects.clear()
  store.log.length = 0
  store.failWith = undefined
  player = await signIn(server, newEmail('bucket'))
})

/** Asks for the store's own URL, as the portal does. */
const storeAddress = async () => (await askAddress(server, player, jpeg.length)).body

test('a file is uploaded to the store, finalised and served by this server, and the upload is removed', async () => {
  const { uploadUrl, tempKey } = await storeAddress()
  expect(new URL(uploadUrl).origin).toBe(store.endpoint)
  expect(Object.fromEntries(new URL(uploadUrl).searchParams)).toMatchObject({
    'X-Amz-Expires': '900',
    'X-Amz-SignedHeaders': 'content-length;content-type;host',
  })
  expect((await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: jpeg as BodyInit })).status).toBe(200) // a Buffer is one
  expect([...store.objects.keys()]).toEqual([`uploads/${tempKey}`])

  const { status, body } = await finalize(server, player, tempKey)
  expect(status).toBe(200)
  expect([...store.objects]).toEqual([
    [expect.stringMatching(/^profile-pictures\/[0-9a-f]{32}\.jpg$/), expect.objectContaining({ contentType: 'image/jpeg' })],
  ])
  const { url } = (await avatarOf(server, player, player.userId)).body
  expect(url).toMatch(/^\/media\/profile-pictures\//)
  const served = await get(server, url)
  expect(await sharp(served.bytes).metadata()).toMatchObject({ width: 200, height: 200, format: 'jpeg' })
  expect(served.bytes.length).toBe(body.fileSizeBytes)
  expect(store.log.filter((line) => line.endsWith('403'))).toEqual([])
})

test('a file sent to the same URL again changes nothing, and the sweep removes it', async () => {
  const send = async (uploadUrl: string, bytes: Buffer) =>
    (await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: bytes as BodyInit })).status // a Buffer is one
  const { uploadUrl, tempKey } = await storeAddress()
  await send(uploadUrl, jpeg)
  await finalize(server, player, tempKey)
  const { url } = (await avatarOf(server, player, player.userId)).body
  const { bytes } = await get(server, url)
  // the store cannot take a URL for one use
  expect(await send(uploadUrl, Buffer.alloc(jpeg.length, 'x'))).toBe(200)
  expect((await finalize(server, player, tempKey)).body.code).toBe('UPLOAD_NOT_FOUND')
  expect((await get(server, url)).bytes).toEqual(bytes)
  const again = store.objects.get(`uploads/${tempKey}`)
  if (again) again.at = clock.now()
  clock.forward(3601)
  await sweepPictures(server.deps)
  expect([...store.objects.keys()].filter((path) => path.startsWith('uploads/'))).toEqual([])
})

test('an upload URL is signed for one type and one path', async () => {
  const { uploadUrl } = await storeAddress()
  const send = async (address: string, contentType = 'image/jpeg') =>
    (await fetch(address, { method: 'PUT', headers: { 'content-type': contentType }, body: jpeg as BodyInit })).status // as above
  expect(await send(uploadUrl, 'text/html')).toBe(403)
  expect(await send(uploadUrl.replace('/uploads/', '/profile-pictures/'))).toBe(403)
  expect(await send(uploadUrl.replace('X-Amz-Expires=900', 'X-Amz-Expires=90000'))).toBe(403)
  expect(await send(uploadUrl.replace(/X-Amz-Signature=\w+/, `X-Amz-Signature=${createHmac('sha256', 'x').digest('hex')}`))).toBe(403)
  expect((await fetch(uploadUrl)).status).toBe(403)
  expect(store.objects.size).toBe(0)
  expect(await send(uploadUrl)).toBe(200)
})

describe('INPUT-58: a file that is too large', () => {
  const MAXIMUM = 8 * 1024 * 1024
  const send = (url: string, body: Buffer) =>
    fetch(url, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: body as BodyInit }) // a Buffer is one

  test('gets no URL', async () => {
    const refused = await askAddress(server, player, MAXIMUM + 1)
    expect([refused.status, refused.body.code]).toEqual([413, 'IMAGE_TOO_LARGE'])
    expect((await askAddress(server, player, MAXIMUM)).status).toBe(200)
  })

  test('is refused by the store at a URL for a smaller one, and nothing is stored', async () => {
    const { uploadUrl, tempKey } = await storeAddress()
    expect((await send(uploadUrl, Buffer.concat([jpeg, Buffer.alloc(9 * 1024 * 1024)]))).status).toBe(403)
    expect((await send(uploadUrl, Buffer.concat([jpeg, Buffer.alloc(1)]))).status).toBe(403)
    expect((await send(uploadUrl, jpeg.subarray(1))).status).toBe(403)
    expect(store.objects.size).toBe(0)
    expect((await finalize(server, player, tempKey)).body.code).toBe('UPLOAD_NOT_FOUND')
  })

  test('is refused by this server, to which clients upload if they name no size, and nothing is stored', async () => {
    const { uploadUrl, tempKey } = await addressFor(server, player)
    expect(uploadUrl).toMatch(/^\/media\/uploads\//)
    const large = Buffer.alloc(MAXIMUM + 1)
    expect((await put(server, uploadUrl, large)).body.code).toBe('IMAGE_TOO_LARGE')
    const unannounced = new ReadableStream({
      start(stream) {
        stream.enqueue(large)
        stream.close()
      },
    })
    const streamed = await fetch(new URL(uploadUrl, server.address), {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: unannounced,
      duplex: 'half',
    } as RequestInit) // the types of the platform lack `duplex`
    expect(streamed.status).toBe(413)
    expect(store.objects.size).toBe(0)
    expect((await finalize(server, player, tempKey)).body.code).toBe('UPLOAD_NOT_FOUND')
  })

  test('that is in the store all the same is refused at registration, and removed', async () => {
    const { tempKey } = await storeAddress()
    store.objects.set(`uploads/${tempKey}`, { body: Buffer.alloc(MAXIMUM + 1), contentType: 'image/jpeg', at: new Date() })
    expect((await finalize(server, player, tempKey)).body.code).toBe('IMAGE_TOO_LARGE')
    expect(store.objects.size).toBe(0)
  })
})

test('a file whose size was not named goes through this server into the store, once', async () => {
  const { uploadUrl, tempKey } = await addressFor(server, player)
  expect((await put(server, uploadUrl, jpeg, 'image/png')).body.code).toBe('UNSUPPORTED_IMAGE')
  expect((await put(server, uploadUrl, jpeg)).status).toBe(204)
  expect((await put(server, uploadUrl, jpeg)).body.code).toBe('UPLOAD_NOT_FOUND')
  expect(store.objects.get(`uploads/${tempKey}`)).toMatchObject({ body: jpeg, contentType: 'image/jpeg' })
  expect((await finalize(server, player, tempKey)).status).toBe(200)
})

test('if the store fails while a file goes through this server, the reply is 503', async () => {
  const { uploadUrl } = await addressFor(server, player)
  store.failWith = 503
  const { status, headers } = await put(server, uploadUrl, jpeg)
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
})

test('this server accepts no files at a URL that it has not signed', async () => {
  const { tempKey } = await storeAddress()
  expect((await put(server, `/media/uploads/${tempKey}`, jpeg)).status).toBe(404)
})

test('a key without an upload is not found', async () => {
  const { tempKey } = await addressFor(server, player)
  expect((await finalize(server, player, tempKey)).body.code).toBe('UPLOAD_NOT_FOUND')
})

test('if the store fails, the reply is 503; once it works, the same upload succeeds and the picture is served', async () => {
  const { uploadUrl, tempKey } = await storeAddress()
  await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: jpeg as BodyInit }) // as above
  store.failWith = 503
  expect((await finalize(server, player, tempKey)).status).toBe(503)
  store.failWith = undefined
  const { body } = await finalize(server, player, tempKey)
  store.failWith = 500
  expect((await get(server, body.locationUri)).status).toBe(503)
  store.failWith = undefined
  expect((await get(server, body.locationUri)).status).toBe(200)
})

/** Until the end of the test. */
function setCallTimeout(seconds: number): void {
  const { env } = server.deps
  const before = env.callTimeoutSeconds
  env.callTimeoutSeconds = seconds
  onTestFinished(() => void (env.callTimeoutSeconds = before))
}

describe('if the store does not reply in the time for a call', () => {
  const uploaded = async () => {
    const { uploadUrl, tempKey } = await storeAddress()
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: jpeg as BodyInit }) // as above
    return tempKey
  }
  const beSilent = (to: FakeS3['isSilent'] = true) => {
    store.isSilent = to
    onTestFinished(() => void (store.isSilent = false))
  }

  test('a picture is refused then', async () => {
    const { body } = await finalize(server, player, await uploaded())
    beSilent()
    setCallTimeout(2)
    const begun = performance.now()
    expect((await get(server, body.locationUri)).status).toBe(503)
    expect(performance.now() - begun).toBeLessThan(6000)
  })

  test.each([
    ['read', true],
    ['store', 'to-writes'],
  ] as const)('an upload that it does not %s is not used up', async (_what, to) => {
    const tempKey = await uploaded()
    beSilent(to)
    setCallTimeout(8)
    expect((await finalize(server, player, tempKey)).status).toBe(503)
    store.isSilent = false
    expect((await finalize(server, player, tempKey)).status).toBe(200)
  })
})

describe('once the picture is stored, the call succeeds in time', () => {
  const finalizeNew = async () => {
    const { uploadUrl, tempKey } = await storeAddress()
    await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: jpeg as BodyInit }) // as above
    const begun = performance.now()
    const { status, body } = await finalize(server, player, tempKey)
    return { status, body, took: performance.now() - begun }
  }
  const files = () => [...store.objects.keys()].filter((path) => !path.startsWith('audit/'))

  test('though the store does not reply to removals, which the sweep does', async () => {
    await finalizeNew()
    store.isSilent = 'to-removals'
    onTestFinished(() => void (store.isSilent = false))
    const { status, body, took } = await finalizeNew()
    expect(status).toBe(200)
    expect(took).toBeLessThan(5000)
    expect((await get(server, (await avatarOf(server, player, player.userId)).body.url)).status).toBe(200)
    expect(files()).toHaveLength(3)
    store.isSilent = false
    expect((await claim(server, player, true)).status).toBe(200)
    for (const file of store.objects.values()) file.at = clock.now()
    clock.forward(3601)
    await sweepPictures(server.deps)
    expect(files()).toEqual([new URL(body.locationUri, server.address).pathname.replace(/^\/media\//, '')])
  })

  test('though the database fails after a removal', async () => {
    await finalizeNew()
    await server.deps.db.execute(sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await server.deps.db.execute(sql`create trigger refuse before delete on pictures execute function refuse()`)
    onTestFinished(async () => void (await server.deps.db.execute(sql`drop function refuse cascade`)))
    expect((await finalizeNew()).status).toBe(200)
  })
})

test('the sweep reads every page of the bucket', async () => {
  for (const key of ['uploads/1', 'uploads/2', 'uploads/3', 'profile-pictures/4.jpg', 'profile-pictures/5.jpg', 'elsewhere/6']) {
    store.objects.set(key, { body: jpeg, contentType: 'image/jpeg', at: clock.now() })
  }
  await sweepPictures(server.deps)
  expect(store.objects.size).toBe(6)
  clock.forward(3601)
  await sweepPictures(server.deps)
  expect([...store.objects.keys()]).toEqual(['elsewhere/6'])
})

describe('the sweep', () => {
  /** Uploads that nobody finished. */
  async function abandoned(count: number): Promise<string[]> {
    // an earlier token may have expired by this clock
    player = await signIn(server, newEmail('abandons'))
    const keys = []
    for (let made = 0; made < count; made += 1) keys.push((await storeAddress()).tempKey)
    for (const key of keys) store.objects.set(`uploads/${key}`, { body: jpeg, contentType: 'image/jpeg', at: clock.now() })
    clock.forward(3601)
    return keys
  }
  const uploads = () => [...store.objects.keys()].filter((path) => path.startsWith('uploads/'))
  const sweep = async (name: string) => sendJob(server.deps.db, 'sweeps', { name, singletonKey: name })
  const sweeps = async () => {
    const { rows } = await server.deps.db.execute<{ name: string; state: string }>(
      `select data ->> 'name' as name, state::text from jobs.job where name = 'sweeps' order by created_on`,
    )
    return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
  }

  test('ends after three failures in a row, fails, and is done once the store is back', async () => {
    await abandoned(10)
    store.failWith = 503
    await expect(sweepPictures(server.deps)).rejects.toBeInstanceOf(MediaError)
    expect(new Set(store.log.filter((line) => line.startsWith('DELETE')))).toHaveLength(3)
    expect(uploads()).toHaveLength(10)
    store.failWith = undefined
    await sweepPictures(server.deps)
    expect(uploads()).toEqual([])
    expect(await server.rows('picture_uploads')).toEqual([])
  })

  test('removes all others if one, with or without a row, may not be removed', async () => {
    for (const isKnown of [true, false]) {
      const keys = await abandoned(5)
      if (!isKnown) await server.deps.db.delete(pictureUploads)
      store.kept = `uploads/${keys.toSorted()[1]}`
      await sweepPictures(server.deps)
      expect(uploads()).toEqual([store.kept])
      store.kept = undefined
      await sweepPictures(server.deps)
      expect(uploads()).toEqual([])
    }
  })

  test('holds up no other while the store replies to nothing', async () => {
    await abandoned(5)
    store.isSilent = true
    onTestFinished(() => void (store.isSilent = false))
    const others = ['old-sessions', 'expired-invitations', 'closed-accounts', 'lost-mails']
    for (const name of ['pictures', ...others]) await sweep(name)
    server.deps.jobs.wake('sweeps')
    const done = Object.fromEntries(others.map((name) => [name, 'completed']))
    await expect.poll(sweeps, { timeout: 15_000 }).toEqual({ ...done, pictures: 'active' })
  })
})

test('the security policy lets the portal upload to the store', async () => {
  const policy = (await fetch(server.address)).headers.get('content-security-policy')
  expect(policy).toMatch(new RegExp(`connect-src [^;]*${store.endpoint}`))
})
