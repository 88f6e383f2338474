import { isIPv6 } from 'node:net'

/**
 * What limits are counted by: an IPv4 address whole, an IPv6 one by its /64, which is one household. Who hung up before
 * it was looked at has none.
 */
export function limitKeyOf(address: string | undefined): string {
  if (address === undefined) return 'gone'
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  const groups = [...front, ...middle, ...back].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}
