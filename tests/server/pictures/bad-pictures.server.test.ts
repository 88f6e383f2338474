import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { decode, DECODER_LIMITS } from '#server/pictures/decode.ts'
import { signIn, type Person } from '#tests/support/person.ts'
import { newEmail } from '#tests/support/given-person.ts'
import { givenServer, startServer } from '#tests/support/start-server.ts'
import { addressFor, askAddress, avatarOf, finalize, jpeg, picture, put, upload } from './support.ts'

/** SECURITY-9, PROFILE-40; INPUT-57, INPUT-58, INPUT-61: nothing of a refused upload is stored. */

const server = givenServer()

async function refused(file: Buffer | string, contentType = 'image/jpeg') {
  const player = await signIn(server, newEmail('bad'))
  const { status, body } = await upload(server, player, file, contentType)
  for (const folder of ['uploads', 'profile-pictures']) {
    for await (const { path } of server.deps.media.list(folder)) throw new Error(`${path} was stored`)
  }
  expect(await server.rows('pictures')).toEqual([])
  return [status, body.code]
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'

describe('INPUT-57: not a JPEG, PNG or WebP by its bytes, whatever its name', () => {
  test.each([
    ['SVG with a script', SVG],
    ['SVG after an XML declaration', `<?xml version="1.0"?>\n${SVG}`],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7\n%âãÏÓ\n1 0 obj<</Type/Catalog>>endobj'],
    ['a program', '#!/bin/sh\necho hello'],
    ['an empty file', ''],
    ['a zip', Buffer.from([0x50, 0x4b, 3, 4, 0, 0])],
    ['a RIFF file that is a sound', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
  ])('%s', async (_what, file) => {
    expect(await refused(file)).toEqual([415, 'UNSUPPORTED_IMAGE'])
  })

  test.each(['gif', 'tiff', 'avif'] as const)('%s', async (format) => {
    expect(await refused(await picture(20, 20).toFormat(format).toBuffer())).toEqual([415, 'UNSUPPORTED_IMAGE'])
  })

  test('the signature of one format with the content of another', async () => {
    const heads = [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])]
    for (const head of heads) expect(await refused(Buffer.concat([head, Buffer.from(SVG)]))).toEqual([422, 'IMAGE_UNREADABLE'])
    expect(await refused(Buffer.from(`RIFF\0\0\0\0WEBP${SVG}`))).toEqual([422, 'IMAGE_UNREADABLE'])
  })
})

test('a picture with a web page appended is stored without the page', async () => {
  const who = await signIn(server, 'polyglot@club.test')
  const { body } = await upload(server, who, Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>')]))
  const stored = await fetch(new URL(body.locationUri, server.address))
  expect(Buffer.from(await stored.arrayBuffer()).includes('script')).toBe(false)
  await server.deps.db.execute('delete from pictures')
  for await (const { path } of server.deps.media.list('profile-pictures')) await server.deps.media.remove(path)
})

/** A part of a PNG. */
function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A black PNG, of which the encoder would need as much memory as the decoder. */
function grey(width: number, height: number, bytes: number, others: readonly Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.writeUInt8(8 * bytes, 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const lines = deflateSync(Buffer.alloc(height * (1 + width * bytes)))
  return Buffer.concat([signature, chunk('IHDR', head), ...others, chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))])
}

describe('INPUT-58: too large', () => {
  test('9 MB', async () => {
    expect(await refused(Buffer.concat([jpeg, Buffer.alloc(9 * 1024 * 1024)]))).toEqual([413, 'IMAGE_TOO_LARGE'])
  })

  test('9 MB without a content-length', async () => {
    const player = await signIn(server, newEmail('stream'))
    const { uploadUrl } = await addressFor(server, player)
    let left = 9
    const body = new ReadableStream({
      pull(controller) {
        if ((left -= 1) < 0) controller.close()
        else controller.enqueue(new Uint8Array(1024 * 1024))
      },
    })
    const request = { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body, duplex: 'half' } as RequestInit // not yet in the types
    expect((await fetch(new URL(uploadUrl, server.address), request)).status).toBe(413)
    for await (const { path } of server.deps.media.list('uploads')) throw new Error(`${path} was stored`)
  })

  test.each([
    ['JPEG', () => picture(6000, 5000).jpeg().toBuffer(), 'image/jpeg'],
    ['PNG', () => picture(6000, 5000).png().toBuffer(), 'image/png'],
    ['WebP', () => picture(6000, 5000).webp({ effort: 0 }).toBuffer(), 'image/webp'],
  ])('30 megapixels in a small %s', async (_format, make, contentType) => {
    const bomb = await make()
    expect(bomb.length).toBeLessThan(1_000_000)
    expect(await refused(bomb, contentType)).toEqual([413, 'IMAGE_TOO_LARGE'])
  })

  test.each([
    ['a line of 25 megapixels', 25_000_000, 1, 1],
    ['a column of 25 megapixels', 1, 25_000_000, 1],
    ['25 megapixels of 16 bits', 5000, 5000, 2],
  ])('%s in a small PNG', async (_what, width, height, bytes) => {
    const file = grey(width, height, bytes)
    expect(file.length).toBeLessThan(1_000_000)
    expect(await refused(file, 'image/png')).toEqual([413, 'IMAGE_TOO_LARGE'])
  })

  test('25 megapixels are allowed', async () => {
    const who = await signIn(server, 'large@club.test')
    expect((await upload(server, who, await picture(5000, 5000).jpeg().toBuffer())).status).toBe(200)
    await server.deps.db.execute('delete from pictures')
    for await (const { path } of server.deps.media.list('profile-pictures')) await server.deps.media.remove(path)
  })
})

/** A grey progressive JPEG of 8 × 8 pixels, with as many passes over it; all but the first are empty. */
function jpegOfScans(scans: number): Buffer {
  const segment = (code: number, ...content: number[]) => [0xff, code, 0, content.length + 2, ...content]
  // a table with one code, a single 0, for the symbol 0: no difference, or nothing more in this block
  const table = (kind: number) => segment(0xc4, kind, 1, ...Array<number>(15).fill(0), 0)
  const scan = (first: number, last: number) => [...segment(0xda, 1, 1, 0, first, last, 0), 0x7f]
  const passes = Array.from({ length: scans - 1 }, () => scan(1, 63)).flat()
  const head = [
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
    ...table(0),
    ...table(0x10),
  ]
  return Buffer.from([0xff, 0xd8, ...head, ...scan(0, 0), ...passes, 0xff, 0xd9])
}

test('a JPEG of more passes than any camera makes, each of which costs a decoding, is refused', async () => {
  const who = await signIn(server, 'scans@club.test')
  expect((await upload(server, who, jpegOfScans(100))).status).toBe(200)
  await server.deps.db.execute('delete from pictures')
  for await (const { path } of server.deps.media.list('profile-pictures')) await server.deps.media.remove(path)
  expect(await refused(jpegOfScans(101))).toEqual([422, 'IMAGE_UNREADABLE'])
  // also with what a decoder passes over: fill bytes and rubbish before a marker
  const scans = jpegOfScans(101)
  const start = scans.indexOf(Buffer.from([0xff, 0xda]))
  expect(await refused(Buffer.concat([scans.subarray(0, start), Buffer.from([0xff, 0xff]), scans.subarray(start)]))).toEqual([
    422,
    'IMAGE_UNREADABLE',
  ])
})

test('a PNG of more compressed texts than any program writes, each of which inflates to 50 MB, is refused', async () => {
  const text = chunk('zTXt', Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(Buffer.alloc(50e6), { level: 9 })]))
  const pngOf = (texts: number) => grey(50, 50, 1, Array<Buffer>(texts).fill(text))
  const who = await signIn(server, newEmail('texts'))
  expect((await upload(server, who, pngOf(20), 'image/png')).status).toBe(200)
  await server.deps.db.execute('delete from pictures')
  for await (const { path } of server.deps.media.list('profile-pictures')) await server.deps.media.remove(path)
  expect(await refused(pngOf(21), 'image/png')).toEqual([422, 'IMAGE_UNREADABLE'])
}, 60_000)

test('after ten photos that were refused in an hour an account may send no more, and another one may', async () => {
  const [who, other] = [await signIn(server, newEmail('often')), await signIn(server, newEmail('rarely'))]
  const statuses: number[] = []
  for (let count = 0; count < 11; count += 1) statuses.push((await upload(server, who, 'no picture')).status)
  expect(statuses).toEqual([...Array<number>(10).fill(415), 429])
  expect((await upload(server, other, 'no picture')).status).toBe(415)
})

test('an account has one photo decoded at a time, and holds up nobody who asks for a photo or an address', async () => {
  const large = await picture(5000, 5000).jpeg().toBuffer()
  const people = await Promise.all(Array.from({ length: 9 }, () => signIn(server, newEmail('crowd'))))
  const uploaded = async (who: Person) => {
    const { uploadUrl, tempKey } = await addressFor(server, who)
    await put(server, uploadUrl, large)
    return tempKey
  }
  const keys = await Promise.all(people.flatMap((who) => [uploaded(who), uploaded(who)]))
  const asking = await signIn(server, newEmail('asking'))
  const running = keys.map(async (key, at) => ({ at, ...(await finalize(server, people[Math.floor(at / 2)] ?? asking, key)) }))
  const others = await Promise.all([avatarOf(server, asking, asking.userId), askAddress(server, asking)])
  expect(others.map(({ status }) => status)).toEqual([404, 200])
  const replies = await Promise.all(running)
  const ofOne = (at: number) => replies.filter((reply) => Math.floor(reply.at / 2) === at).map(({ status }) => status)
  expect(ofOne(0).toSorted()).toEqual([200, 429])
  await server.deps.db.execute('delete from pictures')
  for (const folder of ['uploads', 'profile-pictures'])
    for await (const { path } of server.deps.media.list(folder)) await server.deps.media.remove(path)
}, 120_000)

test.runIf(process.platform === 'linux')(
  'a file whose decoding takes more than 300 MB is refused, and the decoder ended',
  async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
    const noisy = sharp({ create: { width: 5000, height: 5000, channels: 3, background: '#000', noise } })
    // of its four channels a progressive JPEG keeps all coefficients
    const heavy = await noisy.toColourspace('cmyk').jpeg({ quality: 20, progressive: true, chromaSubsampling: '4:4:4' }).toBuffer()
    expect(await decode(heavy)).toBe('IMAGE_TOO_LARGE')
  },
  180_000,
)

test('of many photos at once those that get no turn in time are not stored later, and may be finalised again', async () => {
  const busy = await startServer({ env: { CALL_TIMEOUT_SECONDS: '4' } })
  onTestFinished(busy.close)
  const large = await picture(5000, 5000).jpeg().toBuffer()
  const given = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      const who = await signIn(busy, `busy${at}@club.test`)
      const { uploadUrl, tempKey } = await addressFor(busy, who)
      expect((await put(busy, uploadUrl, large)).status).toBe(204)
      return { who, tempKey }
    }),
  )
  const replies = await Promise.all(given.map(async (one) => ({ one, ...(await finalize(busy, one.who, one.tempKey)) })))
  const refused = replies.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  const counted = async () => Number((await busy.deps.db.execute('select count(*) as count from pictures')).rows[0]?.['count'])
  expect(await counted()).toBe(12 - refused.length)
  // a slow machine needs longer for each
  busy.deps.env.callTimeoutSeconds = 60
  for (const { one, status } of refused) {
    expect(status).toBe(503)
    expect((await finalize(busy, one.who, one.tempKey)).status).toBe(200)
  }
  expect(await counted()).toBe(12)
}, 120_000)

describe('a decoder that takes too long is ended', () => {
  const photo = picture(5000, 5000).jpeg().toBuffer()

  test.runIf(process.platform === 'linux')('over a file that takes it seconds of a processor: the file is refused', async () => {
    expect(await decode(await photo, { ...DECODER_LIMITS, processorMs: 50 })).toBe('IMAGE_UNREADABLE')
  })

  test('on a machine that gives it none: nothing is said of the file', async () => {
    expect(await decode(await photo, { ...DECODER_LIMITS, processorMs: Infinity, deadlineMs: 50 })).toBe('failed')
  })
})

describe('INPUT-61: truncated', () => {
  const noisy = sharp({
    create: { width: 400, height: 300, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
  test.each([
    ['JPEG', () => noisy.clone().jpeg().toBuffer(), 'image/jpeg'],
    ['progressive JPEG', () => noisy.clone().jpeg({ progressive: true }).toBuffer(), 'image/jpeg'],
    ['PNG', () => noisy.clone().png().toBuffer(), 'image/png'],
    ['WebP', () => noisy.clone().webp().toBuffer(), 'image/webp'],
  ])('%s', async (_format, make, contentType) => {
    const whole = await make()
    for (const share of [0.1, 0.5, 0.9]) {
      expect(await refused(whole.subarray(0, Math.floor(whole.length * share)), contentType)).toEqual([422, 'IMAGE_UNREADABLE'])
    }
  })
})

test('the refusal is in the caller’s language', async () => {
  const who = await signIn(server, 'french@club.test')
  const { uploadUrl } = await addressFor(server, who)
  const reply = await put(server, uploadUrl, jpeg, 'image/gif')
  expect(reply.body).toMatchObject({ code: 'UNSUPPORTED_IMAGE', message: expect.stringMatching(/JPEG/) })
})
