import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { readinessOf } from '#server/health/readiness.ts'
import type { Mail } from '#server/outside/mail.ts'
import type { Media } from '#server/outside/media.ts'

/** Parts that all processes share, by the hour. OPERATE-19 */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a mail server whose reply never ends counts as failing, and recovers without a restart', async () => {
  let check = async () => {}
  const told: string[] = []
  const readiness = readinessOf({
    db: { execute: async () => ({ rows: [] }) } as unknown as Database, // all that is asked of it here
    hasReplied: () => true,
    replica: null,
    mail: { check: () => check() } as Mail, // as above
    media: { read: async () => 'absent' as const } as unknown as Media, // as above
    isDraining: () => false,
    onChange: (part, state) => part === 'mail' && told.push(state),
  })
  const mailAfter = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    const asked = readiness()
    await vi.advanceTimersByTimeAsync(2000)
    return (await asked).parts.mail
  }
  expect(await mailAfter(0)).toBe('ok')
  check = () => new Promise(() => {})
  await mailAfter(20)
  expect(await mailAfter(31)).toBe('failing')
  check = async () => {}
  await mailAfter(46)
  expect(await mailAfter(31)).toBe('ok')
  expect(told).toEqual(['failing', 'ok'])
})
