/** Likely typing mistakes in an address, such as gmial.con for gmail.com. The portal suggests the correction and never enforces it. */

const PROVIDERS =
  'gmail.com googlemail.com hotmail.com hotmail.fr outlook.com outlook.fr yahoo.com yahoo.fr icloud.com live.com live.fr orange.fr wanadoo.fr laposte.net bbox.fr protonmail.com'.split(
    ' ',
  )
/** Real domains that differ from one of those by a letter. */
const REAL = new Set(['mail.com', 'ymail.com', 'email.com', 'hotmail.de', 'yahoo.de', 'live.de', 'love.com', 'gmx.com'])
const ENDINGS: Partial<Record<string, string>> = { con: 'com', cmo: 'com', ocm: 'com', comm: 'com', vom: 'com', xom: 'com', nte: 'net' }

/** The address that was probably meant; undefined if the given one looks right. */
export function suggestAddress(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  if (PROVIDERS.includes(domain) || REAL.has(domain)) return undefined
  const ending = domain.slice(domain.lastIndexOf('.') + 1)
  const corrected = domain.slice(0, -ending.length) + (ENDINGS[ending] ?? ending)
  const near = PROVIDERS.find((provider) => isNear(corrected, provider))
  const suggested = near ?? corrected
  return at < 1 || suggested === domain ? undefined : `${email.slice(0, at)}@${suggested}`
}

/** One letter is missing, extra or different, or two are swapped, and the top-level domain is the same. */
function isNear(domain: string, provider: string): boolean {
  if (domain.slice(domain.lastIndexOf('.')) !== provider.slice(provider.lastIndexOf('.'))) return false
  const most = Math.max(domain.length, provider.length)
  let from = 0
  while (from < most && domain[from] === provider[from]) from += 1
  if (from === most) return true
  const [a, b] = [domain.slice(from), provider.slice(from)]
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return isSwapped || a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1)
}
