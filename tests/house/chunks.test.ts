import { describe, expect, it } from 'vitest'
import { chunkGroups, isInGroup } from '#tools/chunks.ts'
import { filesBelow, loadedBefore } from './source-files.ts'

/** A moved file would change what a phone loads at its start, and nobody would notice. */
const files = [...filesBelow('src/app'), ...filesBelow('src/contract'), ...filesBelow('locales')]

/** These files and all that is loaded before they run. */
function closureOf(starts: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const open = [...starts]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || !/^src\/.*\.tsx?$/.test(path)) continue
    seen.add(path)
    open.push(...loadedBefore(path))
  }
  return seen
}

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

  it('the first question waits for no module that loads after it', () => {
    const later = chunkGroups.find(({ name }) => name === 'sending')
    if (!later) throw new Error('There is no group of what stores and sends')
    const sooner = chunkGroups.filter(({ priority }) => priority > later.priority)
    const membersOf = (group: (typeof chunkGroups)[number]) => files.filter((path) => isInGroup(group, path))
    const takenSooner = closureOf(sooner.flatMap(membersOf))
    const takenLater = closureOf(membersOf(later))
    const waitedFor = [...closureOf(['src/app/screens/assessment/test.screen.tsx'])]
    expect(waitedFor.filter((path) => takenLater.has(path) && !takenSooner.has(path))).toEqual([])
  })
})
