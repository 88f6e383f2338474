import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exists } from '../exists.ts'

const root = new URL('../../../', import.meta.url)
const built = fileURLToPath(new URL('dist/media/cities/', root))
const generated = fileURLToPath(new URL('public/media/cities/', root))

let defaultFolder: Promise<string> | undefined
const lists = new Map<string, Promise<ReadonlySet<string>>>()

async function readNames(path: string): Promise<ReadonlySet<string>> {
  const list = JSON.parse(await readFile(path, 'utf8')) as { cities: string[] } // written by src/tools/cities.ts
  return new Set(list.cities)
}

/** The names in one file, read once. A failed read is not cached. */
function namesIn(path: string): Promise<ReadonlySet<string>> {
  const known = lists.get(path)
  if (known !== undefined) return known
  const reading = readNames(path)
  lists.set(path, reading)
  reading.catch(() => lists.delete(path))
  return reading
}

/** The names in one list; undefined if there is no such file. `directory` as in cityListHas. */
async function namesOf(cityFile: string, directory: string | undefined): Promise<ReadonlySet<string> | undefined> {
  if (!/^[A-Z]{2}\.json$/.test(cityFile)) return undefined
  const folder = directory ?? (await (defaultFolder ??= exists(built).then((isBuilt) => (isBuilt ? built : generated))))
  const path = join(folder, cityFile)
  if (!lists.has(path) && !(await exists(path))) {
    if (await exists(folder)) return undefined
    throw new Error(`No city lists in ${folder}: run node src/tools/cities.ts`)
  }
  return namesIn(path)
}

/** Whether a country has no cities; some do not. */
export async function isCityListEmpty(cityFile: string, directory?: string): Promise<boolean> {
  return (await namesOf(cityFile, directory))?.size === 0
}

/**
 * Whether a city is in a country's list. Spelling must match, except for Unicode form and surrounding spaces.
 * @param cityFile as the countries name it (`FR.json`, PROFILE-30); false for any other name
 * @param directory by default the built lists, or else those generated for development
 * @throws if no lists have been generated
 */
export async function cityListHas(cityFile: string, cityName: string, directory?: string): Promise<boolean> {
  return (await namesOf(cityFile, directory))?.has(cityName.normalize('NFC').trim()) ?? false
}
