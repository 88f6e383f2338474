import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dropDraft, keepDraft, overlay, readDraft } from '#app/parts/draft.ts'

const start = { firstName: 'Ada', birth: { month: '', year: '' }, teams: [] as { clubName: string }[] }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('a draft', () => {
  it('brings back what was typed, for the one who typed it', () => {
    const typed = { ...start, firstName: 'Ad', birth: { month: '03', year: '' }, teams: [{ clubName: 'AS' }] }
    keepDraft('player-details', 'u1', typed)
    expect(readDraft('player-details', 'u1', start)).toEqual(typed)
    expect(readDraft('player-details', 'u2', start)).toBeUndefined()
    expect(readDraft('coach-details', 'u1', start)).toBeUndefined()
  })

  it('is none when it says what is stored, or was dropped', () => {
    keepDraft('player-details', 'u1', start)
    expect(readDraft('player-details', 'u1', start)).toBeUndefined()
    keepDraft('player-details', 'u1', { ...start, firstName: 'B' })
    dropDraft('player-details', 'u1')
    expect(readDraft('player-details', 'u1', start)).toBeUndefined()
  })

  it('of another shape cannot break the form', () => {
    expect(overlay(start, { firstName: 7, birth: 'x', teams: 'y', extra: 1 })).toEqual(start)
    expect(overlay(start, { teams: [null, { clubName: 3 }, { clubName: 'AS' }] }).teams).toEqual([{ clubName: 'AS' }])
  })

  it('survives storage that is full or closed', () => {
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new Error('closed')
      },
      setItem: () => {
        throw new Error('full')
      },
    })
    keepDraft('player-details', 'u1', start)
    expect(readDraft('player-details', 'u1', start)).toBeUndefined()
  })
})
