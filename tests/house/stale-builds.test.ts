import { describe, expect, it } from 'vitest'
import sources from '../../src/tools/build-sources.json' with { type: 'json' }
import { importsOf } from './source-files.ts'

/** `npm start` builds what is older than its sources: a folder that is missing among them leaves an old portal after an update. */

/** These files and all that they import, types included. */
function everythingOf(starts: readonly string[]): string[] {
  const seen = new Set<string>()
  const open = [...starts]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || !/^(?:src|sw|locales)\/|^vite\.config/.test(path)) continue
    seen.add(path)
    if (/\.m?tsx?$/.test(path)) open.push(...importsOf(path))
  }
  return [...seen]
}

const isBelow = (folders: readonly string[]) => (path: string) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`))

describe('a stale build is noticed by a change in', () => {
  it.each([
    ['the portal', ['src/app/main.tsx', 'sw/sw.ts', 'vite.config.ts'], sources.portal],
    ['the gallery', ['src/gallery/main.tsx', 'src/tools/gallery.config.ts'], sources.gallery],
  ])('any file of %s', (_, starts, sources) => {
    const files = everythingOf(starts)
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter((path) => !isBelow(sources)(path))).toEqual([])
  })
})
