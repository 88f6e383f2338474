import { describe, expect, it } from 'vitest'
import { chunkGroups, isInGroup } from '#tools/chunks.ts'
import { filesBelow } from './source-files.ts'

/** A moved file would change what a phone loads at its start, and nobody would notice. */
const files = [...filesBelow('src/app'), ...filesBelow('src/contract'), ...filesBelow('locales')]

describe('chunks', () => {
  it.each(chunkGroups.flatMap(({ name, modules = [], except = [] }) => [...modules, ...except].map((entry) => [name, entry] as const)))(
    '%s: %s is there',
    (_, entry) => {
      expect(files.some((path) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry))).toBe(true)
    },
  )

  it('no module is in two', () => {
    const twice = files.filter((path) => chunkGroups.filter((group) => isInGroup(group, path)).length > 1)
    expect(twice).toEqual([])
  })
})
