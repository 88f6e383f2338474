import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const words = (language: string, area: string) => JSON.parse(read(`locales/${language}/${area}.json`)) as Record<string, string>

describe('the words of broken fields', () => {
  const contract = ['', 'rules/'].flatMap((folder) =>
    readdirSync(new URL(`src/contract/${folder}`, root))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(`src/contract/${folder}${name}`)),
  )
  const keys = new Set(
    contract.flatMap((text) => [...text.matchAll(/'([A-Z][A-Za-z]+(?:Required|Invalid)|TooMany[A-Z]\w+)'/g)].map(([, key]) => key ?? '')),
  )

  it('cover every message of the contract, in both languages', () => {
    expect(keys.size).toBeGreaterThan(20)
    for (const language of ['en', 'fr']) expect(Object.keys(words(language, 'fields'))).toEqual(expect.arrayContaining([...keys]))
  })

  it('are those of PROFILE-6 and PROFILE-8', () => {
    expect(words('en', 'fields')).toMatchObject({
      FirstNameRequired: 'First name is required',
      LastNameRequired: 'Last name is required',
      EmailInvalid: 'Invalid email address',
      CityRequired: 'City is required',
      CountryRequired: 'Country is required',
      GenderRequired: 'Gender is required',
      BirthDateRequired: 'Birth date is required',
      BestPositionRequired: 'Best position is required',
      ClubTypeRequired: 'Type of club is required',
      ClubNameRequired: 'Club name is required',
      TeamNameRequired: 'Team name is required',
      TeamCountryRequired: 'Country is required',
      TeamLocationRequired: 'Location is required',
      TeamGenderRequired: 'Team gender is required',
      AgeGroupRequired: 'Age group is required',
    })
  })
})
