import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import countries from '#server/reference/countries.json' with { type: 'json' }
import { makeCities } from '#tools/cities.ts'

const folder = new URL('../../public/media/cities/', import.meta.url)

async function citiesOf(code: string): Promise<string[]> {
  const list: unknown = JSON.parse(await readFile(new URL(`${code}.json`, folder), 'utf8'))
  return (list as { cities: string[] }).cities // the shape under test
}

beforeAll(async () => {
  await makeCities()
})

test('does nothing when nothing changed', async () => {
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
])('%s begins with its largest (ruling 28)', async (code, first) => {
  expect((await citiesOf(code)).slice(0, first.length)).toEqual(first)
})
