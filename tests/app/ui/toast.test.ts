import { beforeEach, expect, test, vi } from 'vitest'
import { createToasts } from '#app/ui/feedback/toast.ts'

let toasts: ReturnType<typeof createToasts>

beforeEach(() => {
  vi.useFakeTimers()
  toasts = createToasts({
    now: () => Date.now(),
    setTimeout: (run, ms) => setTimeout(run, ms),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  })
})

const isOpen = () => toasts.get()?.isOpen ?? false

test('a toast shows for 5000 ms', () => {
  toasts.show({ text: 'one' })
  vi.advanceTimersByTime(4999)
  expect(isOpen()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isOpen()).toBe(false)
})

test('one toast shows at a time: the next replaces it and has its own 5000 ms', () => {
  toasts.show({ text: 'one' })
  vi.advanceTimersByTime(4000)
  toasts.show({ text: 'two' })
  expect(toasts.get()?.text).toBe('two')
  vi.advanceTimersByTime(4999)
  expect(isOpen()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isOpen()).toBe(false)
})

test('a toast pauses while it is hovered or the page is hidden, and then continues', () => {
  toasts.show({ text: 'one' })
  vi.advanceTimersByTime(3000)
  toasts.pause('hover')
  toasts.pause('hidden')
  vi.advanceTimersByTime(60_000)
  toasts.resume('hover')
  vi.advanceTimersByTime(60_000)
  expect(isOpen()).toBe(true)
  toasts.resume('hidden')
  vi.advanceTimersByTime(1999)
  expect(isOpen()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isOpen()).toBe(false)
})

test('a toast shown while the page is hidden stays until the page is seen', () => {
  toasts.pause('hidden')
  toasts.show({ text: 'one' })
  vi.advanceTimersByTime(60_000)
  expect(isOpen()).toBe(true)
  toasts.resume('hidden')
  vi.advanceTimersByTime(5000)
  expect(isOpen()).toBe(false)
})

test('a dismissed toast is removed 1,000,000 ms later, unless another has replaced it', () => {
  toasts.show({ text: 'one' })
  toasts.dismiss()
  vi.advanceTimersByTime(999_999)
  expect(toasts.get()).toMatchObject({ text: 'one', isOpen: false })
  vi.advanceTimersByTime(1)
  expect(toasts.get()).toBeUndefined()
  toasts.show({ text: 'two' })
  toasts.dismiss()
  toasts.show({ text: 'three' })
  vi.advanceTimersByTime(1000)
  expect(toasts.get()).toMatchObject({ text: 'three', isOpen: true })
})
