import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '#app/api/api-error.ts'
import { network } from '#app/api/network.ts'
import { queryClient } from '#app/api/query-client.ts'
import { waitFor } from '#tests/support/wait-for.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a read that loses the connection between two tries fails instead of waiting for it', async () => {
  vi.useFakeTimers()
  const ask = vi.fn<() => Promise<string>>().mockRejectedValue(new ApiError({ kind: 'FETCH_ERROR' }))
  const observer = new QueryObserver(queryClient, { queryKey: ['a read'], queryFn: ask })
  const stop = observer.subscribe(() => undefined)
  await waitFor(() => expect(ask).toHaveBeenCalledTimes(1))
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  await network.probe()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ask).toHaveBeenCalledTimes(2)
  expect(observer.getCurrentResult()).toMatchObject({ status: 'error', fetchStatus: 'idle' })
  stop()
})
