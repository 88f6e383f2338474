export type Claims = Record<string, unknown>

/** The claims of a JWT, unverified. Throws if it cannot be decoded. */
export function claimsIn(token: string): Claims {
  const [, payload = ''] = token.split('.')
  const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
  const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (typeof claims !== 'object' || claims === null) throw new TypeError('The token has no claims')
  return claims as Claims
}
