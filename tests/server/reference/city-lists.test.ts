import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cityListHas } from '#server/reference/city-lists.ts'
import { isCityOf } from '#server/reference/places.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cities-'))
  await writeFile(join(directory, 'FR.json'), '{"cities":["Paris","Orl\u00e9ans"]}')
})
afterAll(() => rm(directory, { recursive: true }))

describe('a city of a country (PROFILE-30)', () => {
  test('is spelled as in the list, apart from Unicode form and surrounding spaces', async () => {
    expect(await cityListHas('FR.json', 'Paris', directory)).toBe(true)
    expect(await cityListHas('FR.json', ' Orle\u0301ans ', directory)).toBe(true)
    expect(await cityListHas('FR.json', 'paris', directory)).toBe(false)
    expect(await cityListHas('FR.json', 'London', directory)).toBe(false)
    expect(await cityListHas('FR.json', '', directory)).toBe(false)
  })

  test.each(['ZZ.json', 'fr.json', 'FR', '../FR.json', 'FR.json/../FR.json', ''])('is not found in a list called %j', async (file) => {
    expect(await cityListHas(file, 'Paris', directory)).toBe(false)
  })

  test('throws, rather than refuses, if no lists were generated', async () => {
    await expect(cityListHas('FR.json', 'Paris', join(directory, 'nowhere'))).rejects.toThrow('No city lists')
  })

  test('is looked for again after a read that failed', async () => {
    await writeFile(join(directory, 'GB.json'), '{"cities":["Lon')
    await expect(cityListHas('GB.json', 'London', directory)).rejects.toThrow()
    await writeFile(join(directory, 'GB.json'), '{"cities":["London"]}')
    expect(await cityListHas('GB.json', 'London', directory)).toBe(true)
  })

  test('is the country itself if its list is empty, and only then', async () => {
    await writeFile(join(directory, 'AQ.json'), '{"cities":[]}')
    expect(await isCityOf('Antarctica', 'Antarctica', directory)).toBe(true)
    expect(await isCityOf('Antarctica', 'Paris', directory)).toBe(false)
    expect(await isCityOf('France', 'France', directory)).toBe(false)
    expect(await isCityOf('France', 'Paris', directory)).toBe(true)
    expect(await isCityOf('Nowhere', 'Nowhere', directory)).toBe(false)
  })
})
