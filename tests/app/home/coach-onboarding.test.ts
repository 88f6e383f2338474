import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { applyCoachOnboarding } from '#app/screens/home/use-coach-onboarding.ts'
import { storeCoachOnboarding, readCoachOnboarding } from '#app/session/coach-onboarding.ts'
import { fakeStorage } from '#tests/support/storage.ts'

const data = { firstName: 'Ana', lastName: 'Lopes', email: 'ana@club.test', country: 'Portugal', city: 'Porto' }
const key = 'coachOnboardingData'
let session: ReturnType<typeof fakeStorage>
let durable: ReturnType<typeof fakeStorage>
const isNothingStored = () => session.values.size === 0 && durable.values.size === 0

beforeEach(() => {
  session = fakeStorage()
  durable = fakeStorage()
  vi.stubGlobal('sessionStorage', session)
  vi.stubGlobal('localStorage', durable)
})

describe('what a coach typed at onboarding (ONBOARD-4)', () => {
  it('goes into the profile once, then it is removed', async () => {
    const update = vi.fn(() => Promise.resolve())
    storeCoachOnboarding(data)
    await applyCoachOnboarding('ana@club.test', update)
    await applyCoachOnboarding('ana@club.test', update)
    expect(update.mock.calls).toEqual([
      [{ firstName: 'Ana', lastName: 'Lopes', email: 'ana@club.test', cityId: 'Porto', countryId: 'Portugal' }],
    ])
    expect(isNothingStored()).toBe(true)
  })

  it('is found after the app was killed during the sign-in', async () => {
    const update = vi.fn(() => Promise.resolve())
    storeCoachOnboarding(data)
    session.values.clear()
    await applyCoachOnboarding('Ana@Club.test', update)
    expect(update).toHaveBeenCalledOnce()
  })

  it.each([
    ['without a source', JSON.stringify(data)],
    ['from another source', JSON.stringify({ ...data, source: 'import' })],
    ['that is no JSON', '{"firstName":'],
    ['that is no object', 'null'],
    ...Object.keys(data).map((field) => [`without ${field}`, JSON.stringify({ ...data, [field]: '', source: 'coachOnboarding' })]),
  ])('%s is removed and changes nothing', async (_, text) => {
    const update = vi.fn(() => Promise.resolve())
    session.setItem(key, text)
    await applyCoachOnboarding('ana@club.test', update)
    expect(update).not.toHaveBeenCalled()
    expect(isNothingStored()).toBe(true)
  })

  it('never goes into the profile of another coach on the same device', async () => {
    const update = vi.fn(() => Promise.resolve())
    storeCoachOnboarding(data)
    await applyCoachOnboarding('bea@club.test', update)
    expect(update).not.toHaveBeenCalled()
    expect(isNothingStored()).toBe(true)
  })

  it('stays stored when it could not be sent', async () => {
    storeCoachOnboarding(data)
    await applyCoachOnboarding('ana@club.test', () => Promise.reject(new ApiError({ kind: 'FETCH_ERROR' })))
    expect(readCoachOnboarding()).toMatchObject(data)
  })

  it('is removed when it was refused', async () => {
    storeCoachOnboarding(data)
    const refusal = { code: 'INVALID_INPUT', message: '', requestId: '' }
    await applyCoachOnboarding('ana@club.test', () => Promise.reject(new ApiError({ kind: 'HTTP', status: 400, data: refusal })))
    expect(isNothingStored()).toBe(true)
  })

  it('stays after an error of something on the way', async () => {
    storeCoachOnboarding(data)
    await applyCoachOnboarding('ana@club.test', () => Promise.reject(new ApiError({ kind: 'HTTP', status: 403 })))
    expect(readCoachOnboarding()).toMatchObject(data)
  })
})
