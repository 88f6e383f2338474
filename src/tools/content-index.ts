import { readFileSync } from 'node:fs'

/** The content files, as the portal needs to know them. */
export interface ContentFiles {
  /** the content version that a new instance is pinned to */
  current: string
  /** file names in the media host's `content/`, by content version and language */
  files: Record<string, Record<string, string>>
}

export const contentIndex = new URL('../../.cache/content-files.json', import.meta.url)

/** Written by content-files.ts before the build. */
export function readContentFiles(): ContentFiles {
  return JSON.parse(readFileSync(contentIndex, 'utf8')) as ContentFiles // written by content-files.ts
}
