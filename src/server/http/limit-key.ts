import { isIPv6 } from 'node:net'

/** A port after the address, as some gateways write it; with it, each connection would count as another address. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d*)?|(\d+(?:\.\d+){3}):\d*)$/

/** An IPv4 address inside an IPv6 one: as a dual-stack socket reports it, or behind a NAT64. */
const WITH_IPV4 = /^(?:0:0:0:0:0:ffff|64:ff9b:0:0:0:0):/

/**
 * The key of limits per network address: a whole IPv4 address, or the /56 of an IPv6 one, which is one household. A client that has
 * hung up has none.
 */
export function limitKeyOf(address: string | undefined): string {
  if (address === undefined) return 'gone'
  const [, six, four] = WITH_PORT.exec(address) ?? []
  const plain = (six ?? four ?? address).replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const groups = groupsOf(plain)
  if (WITH_IPV4.test(groups.join(':'))) return groups.slice(6).flatMap(bytesOf).join('.')
  return `${[...groups.slice(0, 3), (Number.parseInt(groups[3] ?? '', 16) & 0xff00).toString(16)].join(':')}::/56`
}

/** The eight groups in hexadecimal, however the address is written: a URL has it in its one canonical form. */
function groupsOf(address: string): string[] {
  const [front = [], back = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => '0'), ...back]
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 0xff]
}
