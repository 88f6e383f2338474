import { isIPv6 } from 'node:net'

/** A port after the address, as some gateways write it; with it, each connection would count as another address. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d*)?|(\d+(?:\.\d+){3}):\d*)$/

/**
 * The key of limits per network address: a whole IPv4 address, or the /56 of an IPv6 one, which is one household. A client that has
 * hung up has none.
 */
export function limitKeyOf(address: string | undefined): string {
  if (address === undefined) return 'gone'
  const [, six, four] = WITH_PORT.exec(address) ?? []
  const plain = (six ?? four ?? address).replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  const [first, second, third, fourth = 0] = [...front, ...middle, ...back].map((group) => Number.parseInt(group, 16))
  return `${[first, second, third, fourth & 0xff00].map((group) => group?.toString(16)).join(':')}::/56`
}
