import { expect, test } from 'vitest'
import { limitKeyOf } from '#server/http/limit-key.ts'

test.each([
  ['::ffff:198.51.100.1'],
  ['::FFFF:c633:6401'],
  ['0:0:0:0:0:ffff:198.51.100.1'],
  ['0:0:0:0:0:ffff:c633:6401'],
  ['0000:0000:0000:0000:0000:ffff:c633:6401'],
  ['[::ffff:c633:6401]:5000'],
  // behind a NAT64
  ['64:ff9b::198.51.100.1'],
  ['64:ff9b::c633:6401'],
  ['0064:ff9b:0:0:0:0:c633:6401'],
])('%s counts as its IPv4 address', (address) => expect(limitKeyOf(address)).toBe('198.51.100.1'))

test.each([
  ['2001:db8:1:2ff::1', '2001:db8:1:200::/56'],
  ['2001:DB8:1:200:1:2:3:4', '2001:db8:1:200::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['64:ff9b:1::c633:6401', '64:ff9b:1:0::/56'],
])('%s counts with its /56', (address, key) => expect(limitKeyOf(address)).toBe(key))
