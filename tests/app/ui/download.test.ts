import { afterEach, expect, test, vi } from 'vitest'
import { download } from '#app/ui/browser/download.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('a downloaded file can still be read after the task of the tap, and is released later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const link = { href: '', download: '', click: vi.fn<() => void>() }
  vi.stubGlobal('document', { createElement: () => link })
  const revoked = vi.spyOn(URL, 'revokeObjectURL')
  download(new File(['1,2'], 'team.csv'))
  expect(link).toMatchObject({ download: 'team.csv' })
  expect(link.click).toHaveBeenCalledOnce()
  expect(await (await fetch(link.href)).text()).toBe('1,2')
  vi.advanceTimersByTime(30_000)
  expect(revoked).not.toHaveBeenCalled()
  vi.advanceTimersByTime(60_000)
  expect(revoked).toHaveBeenCalledExactlyOnceWith(link.href)
})
