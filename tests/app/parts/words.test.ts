import { describe, expect, it } from 'vitest'
import { filesBelow, read, stringsIn } from '#tests/house/source-files.ts'

const words = (language: string, area: string) => JSON.parse(read(`locales/${language}/${area}.json`)) as Record<string, string>

describe('the messages of invalid fields', () => {
  const contract = filesBelow('src/contract', /\.ts$/).flatMap(stringsIn)
  const keys = new Set(contract.filter((text) => /^(?:[A-Z][A-Za-z]+(?:Required|Invalid)|TooMany[A-Z]\w+)$/.test(text)))

  it('exist in both languages for every message key of the contract', () => {
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
