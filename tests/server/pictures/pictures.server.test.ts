import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { instances } from '#server/db/schema/instances.ts'
import type { Media } from '#server/outside/media.ts'
import { sweepPictures } from '#server/pictures/sweep.ts'
import { ask, closeAccount, coachData, movableClock, type Person, signIn } from '#tests/support/person.ts'
import { givenPerson, newEmail } from '#tests/support/given-person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { addressFor, avatarOf, claim, finalize, get, jpeg, picture, picturesOf, put, upload } from './support.ts'

const tagged = {
  IFD0: { Copyright: 'Maya Lindqvist', Model: 'Her Phone' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '45/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '73/1 34/1 0/1' },
}

describe('profile pictures', () => {
  const clock = movableClock()
  const server = givenServer({ clock })
  const player = givenPerson(server, 'player')

  test('an upload becomes an upright square JPEG of at most 1,024 px, without metadata', async () => {
    const profile = { icc: 'p3', exif: tagged, xmp: '<x:xmpmeta xmlns:x="adobe:ns:meta/">Montréal</x:xmpmeta>' }
    const sideways = await picture(2000, 1500)
      .composite([{ input: await picture(1000, 1500).linear(0).png().toBuffer(), gravity: 'west' }])
      .withMetadata({ orientation: 6 })
      .withExifMerge(profile.exif)
      .withXmp(profile.xmp)
      .jpeg()
      .toBuffer()
    expect(await sharp(sideways).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer), xmp: expect.any(Buffer) })
    expect(sideways.includes('Maya')).toBe(true)

    const { status, body } = await upload(server, player, sideways)
    expect([status, body]).toEqual([
      200,
      {
        documentId: expect.any(String),
        locationUri: expect.stringMatching(/^\/media\/profile-pictures\//),
        fileSizeBytes: expect.any(Number),
      },
    ])
    const { bytes } = await get(server, body.locationUri)
    expect(bytes.length).toBe(body.fileSizeBytes)
    const stored = await sharp(bytes).metadata()
    expect(stored).toMatchObject({ format: 'jpeg', width: 1024, height: 1024, space: 'srgb' })
    for (const trace of ['exif', 'xmp', 'icc', 'iptc', 'orientation', 'tifftagPhotoshop'] as const)
      expect(stored[trace], trace).toBeUndefined()
    for (const trace of ['Maya', 'Montr', 'Exif', 'http']) expect(bytes.includes(trace), trace).toBe(false)
    // orientation 6 turns the dark left half to the top
    const { data } = await sharp(bytes).resize(2, 2).raw().toBuffer({ resolveWithObject: true })
    expect([data[0], data[3]].every((red) => Number(red) < 10)).toBe(true)
    expect(data[7]).toBeGreaterThan(80)
  })

  test.each([
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['jpeg', 'image/jpeg'],
  ] as const)('a small %s is accepted and not enlarged', async (format, contentType) => {
    const { body } = await upload(server, player, await picture(90, 40).toFormat(format).toBuffer(), contentType)
    expect(await sharp((await get(server, body.locationUri)).bytes).metadata()).toMatchObject({ format: 'jpeg', width: 40, height: 40 })
  })

  test('transparent pixels become white', async () => {
    const clear = await sharp({ create: { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
      .png()
      .toBuffer()
    const { body } = await upload(server, player, clear, 'image/png')
    const { channels } = await sharp((await get(server, body.locationUri)).bytes).stats()
    expect(channels.map(({ min }) => min)).toEqual([255, 255, 255])
  })

  test('a picture is served as an image for 10 minutes, and no cache may keep it', async () => {
    await upload(server, player, jpeg)
    const { body } = await avatarOf(server, player, player.userId)
    const { status, headers } = await get(server, body.url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    clock.forward(599)
    expect((await get(server, body.url)).status).toBe(200)
    clock.forward(2)
    expect((await get(server, body.url)).status).toBe(404)
  })

  test('the URL of a picture has the given t, or else the time, so that no old picture comes from a cache (PROFILE-39)', async () => {
    await upload(server, player, jpeg)
    expect((await avatarOf(server, player, player.userId, '?t=12345')).body.url).toContain('?t=12345&')
    expect((await avatarOf(server, player, player.userId)).body.url).toContain(`?t=${clock.now().getTime()}&`)
    expect((await avatarOf(server, player, player.userId, '?t=x')).status).toBe(400)
  })

  test('a picture URL that was changed is 404', async () => {
    const { url } = (await avatarOf(server, player, (await upload(server, player, jpeg)) && player.userId)).body
    const other = await signIn(server, newEmail('otherpicture'))
    const { body } = await upload(server, other, jpeg)
    const file = (address: string) => /profile-pictures\/([^?]+)/.exec(address)?.[1] ?? ''
    for (const wrong of [
      url.replace(/&signature=.*/, ''),
      url.replace(/\?.*/, ''),
      url.replace(/expires=\d+/, 'expires=9999999999'),
      url.replace(/t=\d+/, 't=1'),
      url.replace(file(url), file(body.locationUri)),
      url.replace(file(url), '..%2f..%2fkeys.json'),
      `${url}x`,
      '/media/profile-pictures/',
      '/media/uploads/x',
    ]) {
      expect([wrong, (await get(server, wrong)).status]).toEqual([wrong, 404])
    }
  })

  test('users see their own picture, and coaches those of players they allocated an assessment to', async () => {
    await upload(server, player, jpeg)
    const other = await signIn(server, newEmail('stranger'))
    const coach = await signIn(server, newEmail('coachpicture'), 'coach', coachData)
    const coach2 = await signIn(server, newEmail('coachpicture2.'), 'coach', coachData)
    const instanceId = await server.giveInstance(player)
    const give = (status: 'ALLOCATED' | 'RECLAIMED') =>
      server.deps.db
        .update(instances)
        .set({ coachId: coach.userId, briefOpenedAt: new Date(), status, reclaimedAt: status === 'RECLAIMED' ? new Date() : null })
        .where(eq(instances.id, instanceId))

    expect((await avatarOf(server, coach, player.userId)).status).toBe(404)
    await give('ALLOCATED')
    const seen = await avatarOf(server, coach, player.userId)
    expect((await get(server, seen.body.url)).status).toBe(200)
    for (const [asking, userId] of [
      [other, player.userId],
      [coach2, player.userId],
      [player, other.userId],
      [player, coach.userId],
      [other, other.userId],
      [player, 'nonsense'],
    ] as const) {
      const reply = await avatarOf(server, asking, userId)
      expect([reply.status, reply.body.code]).toEqual([404, 'NOT_FOUND'])
    }
    await give('RECLAIMED')
    expect((await avatarOf(server, coach, player.userId)).status).toBe(404)
  })

  describe('a picture URL stops working', () => {
    let coach: Person
    let instanceId: string
    let url: string
    const change = (set: Partial<typeof instances.$inferInsert>) =>
      server.deps.db.update(instances).set(set).where(eq(instances.id, instanceId))
    const seen = async () => (await get(server, url)).status

    beforeEach(async () => {
      await upload(server, player, jpeg)
      coach = await signIn(server, newEmail('dying.coach'), 'coach', coachData)
      instanceId = await server.giveInstance(player)
      await change({ coachId: coach.userId, status: 'ALLOCATED', briefOpenedAt: new Date() })
      url = (await avatarOf(server, coach, player.userId)).body.url
      expect(await seen()).toBe(200)
    })

    test('for the coach when the instance is reclaimed, but not for the player', async () => {
      const own = (await avatarOf(server, player, player.userId)).body.url
      await change({ status: 'RECLAIMED', reclaimedAt: new Date() })
      expect(await seen()).toBe(404)
      expect((await get(server, own)).status).toBe(200)
    })

    test('for the coach and the player when the player’s account is closed', async () => {
      const own = (await avatarOf(server, player, player.userId)).body.url
      expect((await closeAccount(server, player)).status).toBe(200)
      expect([await seen(), (await get(server, own)).status]).toEqual([404, 404])
    })

    test('when the coach’s account is closed', async () => {
      expect((await closeAccount(server, coach)).status).toBe(200)
      expect(await seen()).toBe(404)
    })

    test('when the picture is replaced', async () => {
      await upload(server, player, jpeg)
      expect(await seen()).toBe(404)
    })

    test('when the instance is another coach’s, who cannot use the URL either', async () => {
      const other = await signIn(server, newEmail('dying.other'), 'coach', coachData)
      await change({ coachId: other.userId })
      expect(await seen()).toBe(404)
      expect((await get(server, url.replace(/for=[^&]*/, `for=${other.userId}`))).status).toBe(404)
      expect((await get(server, url.replace(/&for=[^&]*/, ''))).status).toBe(404)
    })

    test('if the brief has not been opened, until the assessment has begun', async () => {
      await change({ briefOpenedAt: null })
      expect(await seen()).toBe(404)
      expect((await avatarOf(server, coach, player.userId)).status).toBe(404)
      await change({ status: 'IN_PROGRESS' })
      expect(await seen()).toBe(200)
    })
  })

  test('a coach can have a picture too', async () => {
    const coach = await signIn(server, newEmail('own.coach'), 'coach', coachData)
    await upload(server, coach, jpeg)
    expect((await claim(server, coach, true)).body.hasProfilePicture).toBe(true)
    expect((await avatarOf(server, coach, coach.userId)).status).toBe(200)
  })

  describe('hasProfilePicture', () => {
    test('can be set to true only once there is a picture', async () => {
      const early = await claim(server, player, true)
      expect([early.status, Object.keys(early.body.fields)]).toEqual([400, ['hasProfilePicture']])
      await upload(server, player, jpeg)
      expect((await claim(server, player, true)).body.hasProfilePicture).toBe(true)
    })

    test('stays if the rest of a save is refused', async () => {
      await upload(server, player, jpeg)
      await claim(server, player, true)
      const body = { hasProfilePicture: false, birthDate: '2001-02-01' }
      const refused = await ask(server, 'PATCH', `user/${player.userId}?version=old`, { bearer: player.accessToken, body })
      expect(refused.status).toBe(409)
      expect((await avatarOf(server, player, player.userId)).status).toBe(200)
    })

    test('set to false removes the picture at once', async () => {
      const { body } = await upload(server, player, jpeg)
      await claim(server, player, true)
      expect((await claim(server, player, false)).body.hasProfilePicture).toBe(false)
      expect((await get(server, body.locationUri)).status).toBe(404)
      expect((await avatarOf(server, player, player.userId)).status).toBe(404)
      expect((await claim(server, player, true)).status).toBe(400)
      await sweepPictures(server.deps)
      expect(await picturesOf(server, player)).toEqual([])
    })
  })

  test('if the store fails, the reply is 503, and the same upload succeeds later', async () => {
    const { deps } = server
    const { media } = deps
    const { MediaError } = await import('#server/outside/media.ts')
    const fail = () => Promise.reject(new MediaError(new Error('down')))
    const { uploadUrl, tempKey } = await addressFor(server, player)
    await put(server, uploadUrl, jpeg)
    for (const broken of [{ read: fail }, { write: fail }] as Partial<Media>[]) {
      deps.media = { ...media, ...broken }
      const reply = await finalize(server, player, tempKey)
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
    }
    deps.media = media
    expect((await finalize(server, player, tempKey)).status).toBe(200)
  })
})
