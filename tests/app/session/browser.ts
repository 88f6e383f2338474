import { expect, vi } from 'vitest'
import { fakeStorage } from '#tests/support/storage.ts'
import { waitFor } from '#tests/support/wait-for.ts'

const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
export const token = (claims: object) => `x.${part(claims)}.x`

/** A page that opens with the tokens of a player whose access has expired, in front of a server that `reply` stands for. */
export function openWithExpiredSession(stored: Map<string, string>, reply: (url: string, init: RequestInit) => Response): void {
  const tokens = {
    accessToken: token({ userTypeCode: 'player', sid: 's', iat: 1_767_614_400 }),
    refreshToken: 'r1',
    idToken: token({ sub: 'u' }),
    expiresAt: '1',
  }
  for (const [key, value] of Object.entries(tokens)) stored.set(key, value)
  vi.stubGlobal('localStorage', fakeStorage(stored))
  vi.stubGlobal('sessionStorage', fakeStorage())
  vi.stubGlobal('document', { addEventListener: () => undefined, visibilityState: 'visible' })
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => reply(url, init))
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
}

/** Closes the page: waits for a refresh that is under way, and leaves none planned, as they would run in the next test or after the last. */
export async function closePage(): Promise<void> {
  const { session } = await import('#app/session/session.ts')
  const { emitCredentialsChanged } = await import('#app/session/credentials.ts')
  localStorage.clear()
  await waitFor(() => expect(session.get().isRefreshing).toBe(false))
  emitCredentialsChanged()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.resetModules()
}
