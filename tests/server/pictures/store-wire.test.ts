import { describe, expect, onTestFinished, test } from 'vitest'
import { MediaError } from '#server/outside/media.ts'
import { s3Media } from '#server/outside/media-s3.ts'
import { S3_KEYS, signatureOf, startFakeS3 } from './fake-s3.ts'

/**
 * What goes over the wire to the object store. The fake store is compared with the example that Amazon publishes; a real one is tried,
 * too, if S3_STORE names it: http://KEY:SECRET@host:port/bucket?region=…
 */

test('the fake store signs Amazon’s published example as Amazon does', () => {
  const query =
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host'
  const request = {
    method: 'GET',
    pathname: '/test.txt',
    searchParams: new URLSearchParams(query),
    headers: { host: 'examplebucket.s3.amazonaws.com' },
  }
  const signed = {
    credential: 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    signedHeaders: 'host',
    date: '20130524T000000Z',
    payloadHash: 'UNSIGNED-PAYLOAD',
  }
  expect(signatureOf(request, signed, 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')).toBe(
    'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

async function fakeStore() {
  const fake = await startFakeS3()
  onTestFinished(fake.close)
  return { ...S3_KEYS, endpoint: fake.endpoint }
}

function realStore(address: string) {
  const { username, password, origin, pathname, searchParams } = new URL(address)
  const secret = { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) }
  return async () => ({ endpoint: origin, region: searchParams.get('region') ?? 'us-east-1', bucket: pathname.slice(1), ...secret })
}

const real = process.env['S3_STORE']

describe.each([
  { name: 'the fake store', settings: fakeStore },
  ...(real === undefined ? [] : [{ name: 'a real store', settings: realStore(real) }]),
])('$name', ({ settings }) => {
  const JPEG = { contentType: 'image/jpeg', bytes: 1000 }
  const send = async (url: string, bytes: number, contentType = 'image/jpeg') =>
    (await fetch(url, { method: 'PUT', body: Buffer.alloc(bytes, 1), headers: { 'content-type': contentType } })).status

  async function opened() {
    const media = s3Media(await settings())
    const path = `uploads/${crypto.randomUUID()}`
    onTestFinished(() => media.remove(path))
    if (!media.presign) throw new Error('a bucket signs URLs')
    return { media, path, presign: media.presign }
  }

  test('accepts only a file of exactly the signed size and type', async () => {
    const { media, path, presign } = await opened()
    const url = await presign(path, JPEG, 60)
    for (const bytes of [1001, 999, 0, 9_000_000]) expect(await send(url, bytes), `${bytes} bytes`).toBe(403)
    expect(await send(url, 1000, 'text/html')).toBe(403)
    expect(await media.read(path, 10_000)).toBe('absent')
    expect(await send(url, 1000)).toBe(200)
    expect(await media.read(path, 10_000)).toEqual(Buffer.alloc(1000, 1))
  })

  test('stores, reads, lists and removes', async () => {
    const { media, path } = await opened()
    await media.write(path, Buffer.alloc(5000, 2), 'image/jpeg')
    expect(await media.read(path, 5000)).toEqual(Buffer.alloc(5000, 2))
    expect(await media.read(path, 4999)).toBe('too-large')
    const listed: string[] = []
    for await (const one of media.list('uploads')) listed.push(one.path)
    expect(listed).toContain(path)
    await media.remove(path)
    await media.remove(path)
    expect(await media.read(path, 5000)).toBe('absent')
  })
})

async function ofFake(...sends: ['chunked' | 'half']) {
  const fake = await startFakeS3()
  onTestFinished(fake.close)
  const media = s3Media({ ...S3_KEYS, endpoint: fake.endpoint, timeoutMs: 300 })
  await media.write('uploads/a', Buffer.alloc(5000, 2), 'image/jpeg')
  ;[fake.sends] = sends
  return { fake, media }
}

test('a picture that a store or a proxy sends without its length is read all the same', async () => {
  const { media } = await ofFake('chunked')
  expect(await media.read('uploads/a', 5000)).toEqual(Buffer.alloc(5000, 2))
  expect(await media.read('uploads/a', 4999)).toBe('too-large')
})

test('a reply of which the rest never comes is given up', async () => {
  const { fake, media } = await ofFake('half')
  await expect(media.read('uploads/a', 5000)).rejects.toThrow(MediaError)
  fake.sends = 'whole'
  expect(await media.read('uploads/a', 5000)).toEqual(Buffer.alloc(5000, 2))
})
