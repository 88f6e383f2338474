import { describe, expect, test } from 'vitest'
import { sweepPictures } from '#server/pictures/sweep.ts'
import { movableClock, signIn } from '#tests/support/person.ts'
import { givenPerson, newEmail } from '#tests/support/given-person.ts'
import { givenServer } from '#tests/support/start-server.ts'
import { addressFor, avatarOf, claim, get, jpeg, picturesOf, put, upload } from './support.ts'

/** PROFILE-41: replaced and unused files are removed at once or by the sweep. */

describe('cleaning up pictures', () => {
  const clock = movableClock()
  const server = givenServer({ clock })
  const player = givenPerson(server, 'player')

  const files = async (folder: string) => {
    const found: string[] = []
    for await (const { path } of server.deps.media.list(folder)) found.push(path)
    return found
  }

  test('a new picture replaces the previous one, without leaving temporary files', async () => {
    const [before, temporary] = [await files('profile-pictures'), await files('uploads')]
    const first = await upload(server, player, jpeg)
    const second = await upload(server, player, jpeg)
    expect((await get(server, first.body.locationUri)).status).toBe(404)
    expect((await get(server, second.body.locationUri)).status).toBe(200)
    expect(await picturesOf(server, player)).toHaveLength(1)
    expect(await files('profile-pictures')).toHaveLength(before.length + 1)
    expect(await files('uploads')).toEqual(temporary)
  })

  test('unfinished uploads, unused pictures and files without a row are removed within two hours', async () => {
    const { uploadUrl } = await addressFor(server, player)
    await put(server, uploadUrl, jpeg)
    const unclaimed = await upload(server, await signIn(server, newEmail('unclaimed')), jpeg)
    const claimed = await signIn(server, newEmail('claimed'))
    const shown = await upload(server, claimed, jpeg)
    await claim(server, claimed, true)
    await server.deps.media.write('profile-pictures/0123.jpg', jpeg, 'image/jpeg')

    await sweepPictures(server.deps)
    expect((await get(server, unclaimed.body.locationUri)).status).toBe(200)
    // files have the machine's time, so the test's clock must be later than that
    clock.forward(Math.max(0, (Date.now() - clock.now().getTime()) / 1000) + 3601)
    await sweepPictures(server.deps)
    expect(await files('uploads')).toEqual([])
    expect(await server.rows('picture_uploads')).toEqual([])
    const left = await files('profile-pictures')
    const named = (address: string) => `profile-pictures/${/([0-9a-f]{32}\.jpg)/.exec(address)?.[1]}`
    expect(left).toContain(named(shown.body.locationUri))
    expect(left).not.toContain(named(unclaimed.body.locationUri))
    expect(left).not.toContain('profile-pictures/0123.jpg')
    expect((await avatarOf(server, await signIn(server, claimed.email), claimed.userId)).status).toBe(200)
  })
})
