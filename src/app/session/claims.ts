export type Claims = Record<string, unknown>

/** What a token says. Throws where it is none. */
export function claimsIn(token: string): Claims {
  const [, payload = ''] = token.split('.')
  const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
  const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
  if (typeof claims !== 'object' || claims === null) throw new TypeError('No claims')
  return claims as Claims
}
