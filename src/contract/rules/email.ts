/** Whether a text is one e-mail address, whose account it is, and what a copied one was meant to be (decision 0039). */

export const EMAIL_LENGTH_MAXIMUM = 254
const LOCAL_BYTES_MAXIMUM = 64
const HOST_LENGTH_MAXIMUM = 253

/** RFC 5321's dot-string, with the letters of every script as RFC 6532 has them. */
const LOCAL = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
/** Two labels at least, of letters, digits and inner hyphens; the last one is no number. */
const HOST = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{0,58}[a-z\d])$/

/** One address; only in NFKC, so that two that look alike are not two accounts. */
export function isEmail(text: string): boolean {
  const address = text.trim()
  const [local = '', domain = ''] = halvesOf(address)
  if (address.length > EMAIL_LENGTH_MAXIMUM || address.normalize('NFKC') !== address) return false
  if (!LOCAL.test(local) || encodeURI(local).replace(/%../g, '_').length > LOCAL_BYTES_MAXIMUM) return false
  const host = asciiHost(domain)
  return host !== undefined && host.length <= HOST_LENGTH_MAXIMUM && HOST.test(host)
}

/** One account is one e-mail: case-folded, NFKC, and its domain as the mail server sees it. */
export function normalEmail(email: string): string {
  const account = email.trim().normalize('NFKC').toLowerCase()
  const [local, domain] = halvesOf(account)
  return local === undefined || domain === undefined ? account : `${local}@${asciiHost(domain) ?? domain}`
}

function halvesOf(address: string): [string?, string?] {
  const at = address.lastIndexOf('@')
  return at < 0 ? [] : [address.slice(0, at), address.slice(at + 1)]
}

// in every browser and in Node, but not in the library this room is checked with
declare const URL: new (address: string) => { hostname: string }

/** café.fr is xn--caf-dma.fr: some browsers put the one for the other while it is typed. */
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

const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
const OPENING = /^[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'`´<>*•·,;:]+/u
/** To the last letter or digit. */
const UP_TO_CLOSING = /^.*[\p{L}\p{M}\p{N}]/su

/**
 * A copied address without what came along: `mailto:` and its `?subject=`, `Name:`, quotes and brackets of any kind, signs
 * that are not seen, the end of a sentence. What is no address then either comes back as it was.
 */
export function cleanEmail(text: string): string {
  const seen = text.normalize('NFKC').replace(UNSEEN, '').trim()
  // no mailbox begins with an apostrophe: it is half of a quotation, or a spreadsheet's "this is text"
  if (isEmail(seen) && !/^['`]/.test(seen)) return seen
  // each pattern reads a text once: what is pasted may be very long
  const opened = seen
    .replace(OPENING, '')
    .replace(/^[^@]*:(?!\/)/, '')
    .replace(OPENING, '')
    .replace(/(@[^?@]*)\?.*$/, '$1')
  const inner = UP_TO_CLOSING.exec(opened)?.[0] ?? ''
  return isEmail(inner) ? inner : text.trim()
}
