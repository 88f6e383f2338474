import { describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { isExact } from '#server/http/exact.ts'
import { presentAllocated, presentInstance } from '#server/instances/present.ts'
import { findInstanceWithGroups, listAllocated } from '#server/instances/store.ts'
import { signIn } from '#tests/support/person.ts'
import { givenCoach } from './given.ts'
import { allocate, complete, everyAnswer, openBrief, save } from './support.ts'

/** Zod copies a reply that is not exactly as the contract says, which takes longer than making it. */
describe('the replies that are read most are as the contract says, down to the order of keys', () => {
  const given = givenCoach(3)

  test('the questionnaire of a player, and the rows of the team table', async () => {
    const { db } = given.server.deps
    const player = await signIn(given.server, given.address('player'))
    const { instanceId } = (await allocate(given.server, given.coach, player.email)).body
    await openBrief(given.server, player, instanceId)
    await save(given.server, player, instanceId, everyAnswer.slice(0, 20))

    const row = await findInstanceWithGroups(db, instanceId, player.userId)
    if (!row) throw new Error('the player has no instance')
    expect(row.answeredCount).toBe(20)
    expect(isExact(api.instances.get.reply, { ...presentInstance(row, row.groups, 'en', 'player'), fileSeal: '' })).toBe(true)

    const rowsAreExact = async () => {
      const rows = (await listAllocated(db, given.coach.userId)).map((one) => presentAllocated(one, 'en'))
      return isExact(api.instances.allocated.reply, { assessments: rows })
    }
    expect(await rowsAreExact()).toBe(true)
    await save(given.server, player, instanceId)
    await complete(given.server, player, instanceId)
    expect(await rowsAreExact()).toBe(true)
  })

  test("questionnaires that are read at the same time are each its player's own", async () => {
    const players = await Promise.all(['one', 'two', 'three'].map((name) => signIn(given.server, given.address(name))))
    const ids: string[] = []
    for (const { email } of players) ids.push((await allocate(given.server, given.coach, email)).body.instanceId)
    for (const [at, player] of players.entries()) await save(given.server, player, ids[at] ?? '', everyAnswer.slice(0, 4 * at + 1))
    const asked = players.flatMap((player) => ids.map((id) => ({ player, id })))
    const found = await Promise.all(
      asked.map(({ player, id }) => findInstanceWithGroups(given.server.deps.db, id.toUpperCase(), player.userId)),
    )
    expect(found.map((row) => row?.answeredCount)).toEqual([1, undefined, undefined, undefined, 5, undefined, undefined, undefined, 9])
  })
})
