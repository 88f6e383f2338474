import { describe, expect, test } from 'vitest'
import type { Refusal } from '#contract/errors.ts'
import { ownResults, type Instance } from '#contract/instances.ts'
import type { TokenRow } from '#contract/tokens.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { ask, closeAccount, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { picture, upload } from '../pictures/support.ts'
import { givenCoach } from './given.ts'
import { allocate, allocatedTo, complete, everyAnswer, openBrief, reclaim, save } from './support.ts'

const DAY_SECONDS = 86_400

/** GET assessment/coach/allocated: what the team table shows. TEAM-1, PRIVACY-1 */
describe('the instances a coach allocated', () => {
  const clock = movableClock()
  const given = givenCoach(5, clock)

  const list = (query = '', language = 'en') => allocatedTo(given.server, given.coach, query, language)
  const give = async (to: string) => {
    clock.forward(1)
    return (await allocate(given.server, given.coach, to)).body.instanceId
  }
  /** A player who has given so many answers, and has completed the assessment if that is all of them. */
  async function playerWith(name: string, items: number): Promise<[Person, string]> {
    const player = await signIn(given.server, given.address(name))
    const id = await give(player.email)
    await openBrief(given.server, player, id)
    if (items > 0) await save(given.server, player, id, everyAnswer.slice(0, items))
    if (items === everyAnswer.length) await complete(given.server, player, id)
    return [player, id]
  }

  test('are listed in every status, oldest first, with their progress', async () => {
    const waiting = await give(given.address('waiting'))
    const [, open] = await playerWith('open', 0)
    const [, under] = await playerWith('under', 7)
    const [, done] = await playerWith('done', everyAnswer.length)
    const reclaimed = await give(given.address('reclaimed'))
    await reclaim(given.server, given.coach, reclaimed)
    const rows = await list()
    const itemCount = everyAnswer.length
    expect(rows.map((one) => [one.instanceId, one.status, one.answeredCount, one.itemCount])).toEqual([
      [waiting, 'ALLOCATED', 0, itemCount],
      [open, 'ALLOCATED', 0, itemCount],
      [under, 'IN_PROGRESS', 7, itemCount],
      [done, 'COMPLETED', itemCount, itemCount],
    ])
    expect((await list('?status=COMPLETED')).map(({ instanceId }) => instanceId)).toEqual([done])
    expect(await list('?status=RECLAIMED')).toEqual([])
    expect(await list('?status=OWNED')).toEqual([])
  })

  test('are paged, with the rows in the same order as in the whole list', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await give(given.address(name))
    await given.server.deps.jobs.settled('mails')
    const whole = await list()
    const pages = [await list('?limit=2'), await list('?page=2&limit=2'), await list('?page=3&limit=2'), await list('?page=4&limit=2')]
    expect(pages.map((rows) => rows.length)).toEqual([2, 2, 1, 0])
    expect(pages.flat()).toEqual(whole)
    expect(await list('?status=ALLOCATED&page=2&limit=2')).toEqual(whole.slice(2, 4))
  })

  test('show what is clear in a result in the requested language, and no answers and counts', async () => {
    const [player, id] = await playerWith('done', everyAnswer.length)
    const asking = { bearer: player.accessToken }
    const own = await ask<Instance>(given.server, 'GET', `assessment/assessment-instance/${id}`, asking)
    const [en] = await list()
    const [fr] = await list('', 'fr')
    const results = ownResults(own.body)
    if (!results) throw new Error('The player has no result')
    const { Section1, section2 } = results
    expect(en?.results).toEqual({
      Section1: { value: Section1.value, result: Section1.result, styles: Section1.styles },
      section2: {
        value: section2.value,
        label: section2.label,
        axes: section2.axes.map(({ axis, first, second, letter }) => ({ axis, first, second, letter })),
      },
    })
    expect(fr?.results?.section2).toEqual(en?.results?.section2)
    expect(fr?.results?.Section1.result).not.toBe(en?.results?.Section1.result)
    expect(fr?.name).not.toBe(en?.name)
    const text = JSON.stringify(await list())
    for (const word of ['facets', 'modes', 'firstCount', 'strength', 'responses', 'groups', 'birthDate', 'gender'])
      expect(text).not.toContain(`"${word}"`)
  })

  test('show the player’s name, position, first team and whether there is a picture; the coach’s notes take precedence', async () => {
    const [player, id] = await playerWith('known', 0)
    const [, bare] = await playerWith('bare', 0)
    const named = { firstName: 'Noa', lastName: 'Tremblay', preferredPosition: { id: 'goalkeeper', name: 'goalkeeper' } }
    await ask(given.server, 'PATCH', `user/${player.userId}`, { bearer: player.accessToken, body: named })
    await upload(given.server, player, await picture(30, 30).jpeg().toBuffer())
    await ask(given.server, 'PATCH', `user/${player.userId}`, { bearer: player.accessToken, body: { hasProfilePicture: true } })
    const of = async (instanceId: string) => (await list()).find((one) => one.instanceId === instanceId)
    const known = { userId: player.userId, userName: 'Noa', userLastname: 'Tremblay', userPositionName: 'goalkeeper' }
    expect(await of(id)).toMatchObject({ ...known, userPlayerType: 'POTENTIAL', hasProfilePicture: true })
    expect(await of(bare)).toMatchObject({ userName: null, userPositionName: null, userTeam: null, hasProfilePicture: false })
    const body = { userTeam: 'U19', userPositionName: 'Striker', userPlayerType: 'CURRENT' }
    await ask(given.server, 'PATCH', `assessment/assessment-instance/${id}`, { bearer: given.coach.accessToken, body })
    expect(await of(id)).toMatchObject({ userTeam: 'U19', userPositionName: 'Striker', userPlayerType: 'CURRENT' })
  })

  test('hide a player while their account is closed, and show them once it is reopened', async () => {
    const [player, id] = await playerWith('closing', 3)
    const silent = await signIn(given.server, given.address('silent'))
    await allocate(given.server, given.coach, silent.email, { playerName: 'Sam from the trial' })
    const [nameless] = await playerWith('nameless', 3)
    await given.server.deps.jobs.settled('mails')
    const named = { firstName: 'Noa', lastName: 'Tremblay', preferredPosition: { id: 'goalkeeper', name: 'goalkeeper' } }
    for (const one of [player, silent]) await ask(given.server, 'PATCH', `user/${one.userId}`, { bearer: one.accessToken, body: named })
    const note = (body: object) =>
      ask<Refusal>(given.server, 'PATCH', `assessment/assessment-instance/${id}`, { bearer: given.coach.accessToken, body })
    await note({ userTeam: 'U19' })
    const of = async (email: string, language = 'en') => (await list('', language)).find(({ userEmail }) => userEmail === email)
    const tokenOf = async (email: string) => {
      const { body } = await ask<{ tokens: TokenRow[] }>(given.server, 'GET', 'tokens', { bearer: given.coach.accessToken })
      return body.tokens.find(({ assignedTo }) => assignedTo === email)
    }
    const before = await of(player.email)
    const beforeSilent = [await of(silent.email), await tokenOf(silent.email)]
    expect(before?.userName).toBe('Noa')
    expect(await tokenOf(player.email)).toMatchObject({ assignedName: 'Noa Tremblay', userId: player.userId })
    expect(beforeSilent).toMatchObject([{ userName: 'Sam from the trial' }, { assignedName: 'Sam from the trial', userId: null }])

    for (const one of [player, silent, nameless]) await closeAccount(given.server, one)
    const nobody = { userId: null, userName: 'Closed account', userLastname: null, userPositionName: null, hasProfilePicture: false }
    expect(await of(player.email)).toEqual({ ...before, ...nobody, userSportId: null, userSportName: null, userPositionId: null })
    expect(await of(player.email, 'fr')).toMatchObject({ userName: 'Compte fermé' })
    for (const { email } of [player, nameless]) expect(await tokenOf(email)).toMatchObject({ assignedName: 'Closed account', userId: null })
    expect((await note({ ownerUserId: player.userId })).body.code).toBe('FORBIDDEN')
    // the coach had seen nothing of this player, so neither list says that there is an account, or that it is closed
    expect([await of(silent.email), await tokenOf(silent.email)]).toEqual(beforeSilent)

    const again = { bearer: given.server.deps.keys.operatorKey, body: { email: player.email, userTypeCode: 'player' } }
    expect((await ask(given.server, 'POST', 'user', again)).status).toBe(201)
    expect(await of(player.email)).toEqual(before)
    expect((await tokenOf(player.email))?.userId).toBe(player.userId)
  })

  test('show each of two erased players as “Deleted player”', async () => {
    const players = [await playerWith('first', 0), await playerWith('second', 3)]
    for (const [player] of players) await closeAccount(given.server, player)
    clock.forward(30 * DAY_SECONDS)
    await eraseClosedAccounts(given.server.deps)
    given.coach = await signIn(given.server, given.coach.email)
    const rows = await list()
    expect(rows).toMatchObject([
      { userName: 'Deleted player', userLastname: null, userEmail: '', hasProfilePicture: false },
      { userName: 'Deleted player', userLastname: null, userEmail: '', hasProfilePicture: false },
    ])
    expect(await list('', 'fr')).toMatchObject([{ userName: 'Compte supprimé' }, { userName: 'Compte supprimé' }])
    for (const { instanceId } of rows) expect((await reclaim(given.server, given.coach, instanceId)).status).toBe(200)
    for (const [{ email: address }] of players) {
      const mails = (await given.server.rows('mails')).filter((one) => JSON.stringify(one).includes(address))
      expect(mails).toEqual([])
    }
  })

  test('are visible to this coach only', async () => {
    await give(given.address('mine'))
    const other = await signIn(given.server, given.address('other'), 'coach', coachData)
    expect(await allocatedTo(given.server, other)).toEqual([])
  })
})
