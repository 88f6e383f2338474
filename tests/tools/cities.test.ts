import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import countries from '#server/reference/countries.json' with { type: 'json' }
import { fold } from '#app/ui/forms/fuzzy.ts'
import { makeCities } from '#tools/cities.ts'
import { otherNames } from '#tools/cities-other-names.ts'

const folder = new URL('../../public/media/cities/', import.meta.url)

async function listOf(code: string): Promise<{ cities: string[]; otherNames?: unknown }> {
  return JSON.parse(await readFile(new URL(`${code}.json`, folder), 'utf8')) as { cities: string[] } // the shape under test
}

const citiesOf = async (code: string) => (await listOf(code)).cities

beforeAll(async () => {
  await makeCities()
})

test('the lists are not made again when nothing changed', async () => {
  expect(await makeCities()).toBe('fresh')
})

test('every country has a list of at least one name, each once', async () => {
  expect(countries).toHaveLength(250)
  for (const { cityFile } of countries) {
    const cities = await citiesOf(cityFile.slice(0, 2))
    expect(cities.length, cityFile).toBeGreaterThan(0)
    expect(new Set(cities).size, cityFile).toBe(cities.length)
  }
})

test.each([
  ['FR', ['Paris', 'Marseille', 'Lyon']],
  ['GB', ['London', 'Birmingham', 'Liverpool']],
  ['BE', ['Brussels', 'Antwerp', 'Gent']],
  ['AQ', ['Antarctica']],
])('the list of %s begins with its largest cities (PROFILE-26)', async (code, first) => {
  expect((await citiesOf(code)).slice(0, first.length)).toEqual(first)
})

test.each(Object.keys(otherNames))('each other name in %s belongs to exactly one city of its list', async (code) => {
  const cities = await citiesOf(code)
  const all = new Map(cities.map((city) => [fold(city), city]))
  const seen = new Set<string>()
  for (const [city, { fr, also = [] }] of Object.entries(otherNames[code] ?? {})) {
    expect(cities).toContain(city)
    for (const name of fr === undefined ? also : [fr, ...also]) {
      expect(fold(name), 'needs no row').not.toBe(fold(city))
      expect(seen, 'two cities').not.toContain(fold(name))
      seen.add(fold(name))
    }
    // the French name is shown alone, so it must not be another city's
    if (fr !== undefined) expect(all.get(fold(fr)), fr).toBeUndefined()
  }
})

test('a list has other names only if its cities have any', async () => {
  expect((await listOf('BE')).otherNames).toContainEqual({ city: 'Brussels', fr: 'Bruxelles', also: ['Brussel'] })
  expect(Object.keys(await listOf('FR'))).toEqual(['cities'])
})
