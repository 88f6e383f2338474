/** The four keys of local storage that hold a signed-in person's tokens. SESSION-3 */
export interface StoredCredentials {
  accessToken?: string
  refreshToken?: string
  idToken?: string
  /** epoch ms by the server's clock */
  expiresAt?: number
}

/** In the order in which they are written: another tab that reads between two writes knows whose a session is once it sees one. */
export const tokens = ['idToken', 'accessToken', 'refreshToken'] as const

export function readCredentials(storage: Pick<Storage, 'getItem'> = localStorage): StoredCredentials {
  const found: StoredCredentials = {}
  for (const name of tokens) {
    const value = storage.getItem(name)
    if (value) found[name] = value
  }
  const expiresAt = Number(storage.getItem('expiresAt') ?? Number.NaN)
  if (Number.isFinite(expiresAt)) found.expiresAt = expiresAt
  return found
}
