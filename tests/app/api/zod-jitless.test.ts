import { expect, it } from 'vitest'
import '#app/api/zod-jitless.ts'

it('zod takes over that it may not make functions of text, which a strict CSP reports', async () => {
  const { config } = await import('zod/v4/core')
  expect(config().jitless).toBe(true)
})
