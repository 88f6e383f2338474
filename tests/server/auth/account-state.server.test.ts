import { describe, expect, test } from 'vitest'
import type { AccountState } from '#contract/auth.ts'
import { accountProof } from '#server/auth/account-proof.ts'
import { LIMITS } from '#server/limits/limits.ts'
import { eraseClosedAccounts } from '#server/users/closed-accounts.ts'
import { engines } from '#tests/support/databases.ts'
import { ask, claimsOf, closeAccount, coachData, movableClock, signIn, type Person } from '#tests/support/person.ts'
import { givenServer } from '#tests/support/start-server.ts'

/** What a device is told of an account whose session is over (docs/decisions/0059). SESSION-22 */

const DAY_SECONDS = 86_400

describe.each(engines)('the state of an account (%s)', (database) => {
  const clock = movableClock()
  const server = givenServer({ clock, database })
  let count = 0

  const enter = (userTypeCode: 'player' | 'coach' = 'player') => {
    count += 1
    return signIn(server, `account${count}@club.test`, userTypeCode, userTypeCode === 'coach' ? coachData : {})
  }
  const proofOf = (person: Person) => String(claimsOf(person.idToken)['account_proof'])
  const state = (proof: unknown) =>
    ask<{ state: AccountState; userId?: string; code: string }>(server, 'POST', 'user/auth/account-state', { body: { proof } })
  const erase = ({ userId, email }: Person) =>
    ask(server, 'POST', `user/${userId}/erase`, { bearer: server.deps.keys.operatorKey, body: { email } })

  test.each(['player', 'coach'] as const)('a device of a %s is told of the erasure, and only then', async (type) => {
    const person = await enter(type)
    const proof = proofOf(person)
    expect((await state(proof)).body).toEqual({ state: 'kept', userId: person.userId })
    await ask(server, 'POST', 'user/auth/logout', { bearer: person.accessToken })
    expect((await state(proof)).body).toEqual({ state: 'kept', userId: person.userId })
    expect((await erase(person)).status).toBe(204)
    expect((await state(proof)).body).toEqual({ state: 'erased', userId: person.userId })
    // the address is free for another account, whose devices keep what they have
    const next = await signIn(server, person.email)
    expect((await state(proofOf(next))).body).toEqual({ state: 'kept', userId: next.userId })
    expect((await state(proof)).body).toEqual({ state: 'erased', userId: person.userId })
  })

  test('an account that its owner closed is reported as closed for 30 days, then as erased', async () => {
    const player = await enter()
    await closeAccount(server, player)
    expect((await state(proofOf(player))).body).toEqual({ state: 'closed', userId: player.userId })
    clock.forward(29 * DAY_SECONDS)
    await eraseClosedAccounts(server.deps)
    expect((await state(proofOf(player))).body).toEqual({ state: 'closed', userId: player.userId })
    clock.forward(2 * DAY_SECONDS)
    await eraseClosedAccounts(server.deps)
    expect((await state(proofOf(player))).body).toEqual({ state: 'erased', userId: player.userId })
  })

  test('a refresh returns the same proof, so a device that signed in before this build gets it too', async () => {
    const player = await enter()
    const body = { refreshToken: player.refreshToken }
    const renewed = await ask<{ idToken: string }>(server, 'POST', 'user/auth/refresh', { body })
    expect(claimsOf(renewed.body.idToken)['account_proof']).toBe(proofOf(player))
  })

  test('a proof that is not ours reveals nothing about anybody', async () => {
    const [player, other] = [await enter(), await enter()]
    await erase(player)
    const [id = '', mac = ''] = proofOf(player).split('.')
    const flipped = `${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`
    const elsewhere = accountProof({ ...server.deps.keys, refreshKey: 'another server, or this one with another key' }, id)
    const guesses = [
      `${id}.${flipped}`,
      `${id}.${proofOf(other).split('.')[1]}`,
      elsewhere,
      id,
      mac,
      player.email,
      player.idToken.slice(0, 200),
    ]
    for (const guess of [...guesses, `${proofOf(player)}x`, ` ${proofOf(player)}`, `${id.toUpperCase()}.${mac}`])
      expect((await state(guess)).body, guess).toEqual({ state: 'kept' })
    for (const bad of ['', 'x'.repeat(201), 1, null, {}, undefined]) expect((await state(bad)).body.code).toBe('INVALID_INPUT')
  })

  test('an account that the database does not have is reported as missing, as after restoring an older backup', async () => {
    const userId = crypto.randomUUID()
    expect((await state(accountProof(server.deps.keys, userId))).body).toEqual({ state: 'missing', userId })
  })

  test('the proof gives no access: it works neither as bearer or refresh token nor as a code', async () => {
    const player = await enter()
    const proof = proofOf(player)
    expect((await ask(server, 'GET', `user/${player.userId}`, { bearer: proof })).status).toBe(401)
    expect((await ask(server, 'POST', 'user/auth/refresh', { body: { refreshToken: proof } })).status).toBe(401)
  })

  test('guesses are limited per network address, without limiting valid proofs from it', async () => {
    clock.forward(3600)
    const player = await enter()
    const tries = Array.from({ length: LIMITS.accountStatesPerAddress.maximum + 5 }, () => state('nonsense'))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    const refused = await state('nonsense')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await state(proofOf(player))).body).toEqual({ state: 'kept', userId: player.userId })
    const own = Array.from({ length: LIMITS.accountStates.maximum + 4 }, () => state(proofOf(player)))
    expect((await Promise.all(own)).filter(({ status }) => status === 429)).toHaveLength(5)
  })
})
