/** A likely slip in an address, to be hinted at and never refused: gmial.con for gmail.com. */

const PROVIDERS =
  'gmail.com googlemail.com hotmail.com hotmail.fr outlook.com outlook.fr yahoo.com yahoo.fr icloud.com live.com live.fr orange.fr wanadoo.fr laposte.net bbox.fr protonmail.com'.split(
    ' ',
  )
/** A letter away from one of those, and real. */
const REAL = new Set(['mail.com', 'ymail.com', 'email.com', 'hotmail.de', 'yahoo.de', 'live.de', 'love.com', 'gmx.com'])
const ENDINGS: Partial<Record<string, string>> = { con: 'com', cmo: 'com', ocm: 'com', comm: 'com', vom: 'com', xom: 'com', nte: 'net' }

/** The address that was probably meant; undefined where nothing speaks for a slip. */
export function likelyMeant(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  if (PROVIDERS.includes(domain) || REAL.has(domain)) return undefined
  const ending = domain.slice(domain.lastIndexOf('.') + 1)
  const mended = domain.slice(0, -ending.length) + (ENDINGS[ending] ?? ending)
  const near = PROVIDERS.find((provider) => isNear(mended, provider))
  const meant = near ?? mended
  return at < 1 || meant === domain ? undefined : `${email.slice(0, at)}@${meant}`
}

/** One letter is missing, too many, another one, or two are the wrong way round; the country's end is the same. */
function isNear(domain: string, provider: string): boolean {
  if (domain.slice(domain.lastIndexOf('.')) !== provider.slice(provider.lastIndexOf('.'))) return false
  const most = Math.max(domain.length, provider.length)
  let from = 0
  while (from < most && domain[from] === provider[from]) from += 1
  if (from === most) return true
  const [a, b] = [domain.slice(from), provider.slice(from)]
  const isTurned = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return isTurned || a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1)
}
