import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Progress } from '#boot/progress.ts'
import { createTelling } from '#boot/telling.ts'

const ALL = 3
let told: Progress[] = []
const stop = vi.fn()
const retry = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('stop', stop)
  told = []
  vi.clearAllMocks()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const begin = () =>
  createTelling(
    (progress) => told.push(progress),
    () => ALL,
    retry,
  )
const tapTryAgain = () => told.at(-1)?.retry()

test('a line on which no file arrives is called weak after ten seconds', () => {
  begin()
  vi.advanceTimersByTime(9_900)
  expect(told.at(-1)?.trouble).toBeUndefined()
  vi.advanceTimersByTime(200)
  expect(told.at(-1)?.trouble).toBe('weak')
})

test('it is not once all files are here', () => {
  const telling = begin()
  for (let file = 0; file < ALL; file += 1) telling.noteArrival()
  vi.advanceTimersByTime(60_000)
  expect(told.at(-1)?.trouble).toBeUndefined()
})

test('Try again ends the requests without a reply once, so that those made since may arrive slowly', () => {
  begin()
  vi.advanceTimersByTime(10_100)
  tapTryAgain()
  tapTryAgain()
  expect(stop).toHaveBeenCalledTimes(1)
  expect(retry).toHaveBeenCalledTimes(2)
})

test('Try again after a file that failed does not use that up', () => {
  const telling = begin()
  telling.noteFailed('a.js', 'failed')
  tapTryAgain()
  expect(stop).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_100)
  tapTryAgain()
  expect(stop).toHaveBeenCalledTimes(1)
})

test('Try again ends nothing on a line on which files arrive', () => {
  begin().noteArrival()
  vi.advanceTimersByTime(10_100)
  tapTryAgain()
  expect(stop).not.toHaveBeenCalled()
  expect(retry).toHaveBeenCalledTimes(1)
})
