/** E-mail addresses: validity, the form that identifies an account, and cleaning of copied text (decision 0039). */

export const EMAIL_LENGTH_MAXIMUM = 254
/** RFC 5321 */
export const LOCAL_BYTES_MAXIMUM = 64
const HOST_LENGTH_MAXIMUM = 253

/** The dot-string of RFC 5321, with letters of all scripts (RFC 6532). */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
/** At least two labels of letters, digits and inner hyphens; the last one is not a number. */
const HOST = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{0,58}[a-z\d])$/

/** Whether the text is one address. It must be in NFKC, so that two addresses that look alike cannot be two accounts. */
export function isEmail(text: string): boolean {
  const address = text.trim()
  const [local = '', domain = ''] = halvesOf(address)
  if (address.length > EMAIL_LENGTH_MAXIMUM || address.normalize('NFKC') !== address) return false
  if (!LOCAL.test(local) || encodeURI(local).replace(/%../g, '_').length > LOCAL_BYTES_MAXIMUM) return false
  const host = asciiHost(domain)
  return host !== undefined && host.length <= HOST_LENGTH_MAXIMUM && HOST.test(host)
}

/** The form of an address that identifies an account: NFKC, lower case, and the domain in ASCII as mail servers use it. */
export function normalEmail(email: string): string {
  const account = email.trim().normalize('NFKC').toLowerCase()
  const [local, domain] = halvesOf(account)
  return local === undefined || domain === undefined ? account : `${local}@${asciiHost(domain) ?? domain}`
}

function halvesOf(address: string): [string?, string?] {
  const at = address.lastIndexOf('@')
  return at < 0 ? [] : [address.slice(0, at), address.slice(at + 1)]
}

// exists in every browser and in Node, but not in the `lib` that this folder is compiled with
declare const URL: new (address: string) => { hostname: string }

/** café.fr → xn--caf-dma.fr. Some browsers already convert it while it is typed. */
function asciiHost(domain: string): string | undefined {
  const lower = domain.toLowerCase()
  if (!/[^\0-\x7f]/.test(lower)) return lower
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(lower)) return undefined
  try {
    return new URL(`http://${lower}`).hostname
  } catch {
    return undefined
  }
}

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const OPENING = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`´<>*•·,;:]+/u
/** Everything up to the last letter or digit. */
const UP_TO_CLOSING = /^.*[\p{L}\p{M}\p{N}]/su

/**
 * A copied address without what was copied with it: `mailto:` and its `?subject=`, `Name:`, quotes and brackets of any kind, invisible
 * characters, the end of a sentence. If the rest is not an address, returns the text unchanged but trimmed.
 */
export function cleanEmail(text: string): string {
  const visible = text.normalize('NFKC').replace(INVISIBLE, '').trim()
  // no mailbox begins with an apostrophe: it is half of a quotation, or how a spreadsheet marks text
  if (isEmail(visible) && !/^['`]/.test(visible)) return visible
  // the pasted text may be very long, so each pattern must take linear time
  const opened = visible
    .replace(OPENING, '')
    .replace(/^[^@]*:(?!\/)/, '')
    .replace(OPENING, '')
    .replace(/(@[^?@]*)\?.*$/s, '$1')
  const inner = UP_TO_CLOSING.exec(opened)?.[0] ?? ''
  return isEmail(inner) ? inner : text.trim()
}
