import { describe, expect, it } from 'vitest'
import { requiredText } from '#contract/rules/fields.ts'
import { canBuy, canBuyTokens, canOpenBrief, isBirthDate, isOldEnough, team } from '#contract/rules/profile.ts'

/** What a profile must have, and what it opens. PROFILE-6 to PROFILE-19, HOME-13 to HOME-15, INPUT-1 to INPUT-5, INPUT-22 to INPUT-25 */

describe('a birth date is year-month-01 of the last 100 years (PROFILE-18)', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  it.each(['2012-03-01', '2026-11-01', '1927-01-01'])('%s', (text) => expect(isBirthDate(text, now)).toBe(true))
  it.each(['2012-03-15', '1926-12-01', '2026-12-01', '2090-01-01', '2012-13-01', '2012-3-01', ''])('not %j', (text) =>
    expect(isBirthDate(text, now)).toBe(false),
  )
})

describe('a person is old enough from the month of that birthday on (PROFILE-19)', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  it.each(['2013-11-01', '2013-10-01', '1950-12-01'])('%s', (text) => expect(isOldEnough(text, 13, now)).toBe(true))
  it.each(['2013-12-01', '2014-01-01', '2024-11-01'])('not %s', (text) => expect(isOldEnough(text, 13, now)).toBe(false))
  it('as soon as the month has begun somewhere on earth', () => {
    expect(isOldEnough('2013-12-01', 13, new Date('2026-11-30T10:00:00Z'))).toBe(true)
    expect(isOldEnough('2013-12-01', 13, new Date('2026-11-30T09:59:59Z'))).toBe(false)
  })
})

describe('a required text', () => {
  const schema = requiredText('FirstNameRequired')
  const message = (text: unknown) => schema.safeParse(text).error?.issues[0]?.message
  it('says what is missing', () => {
    for (const text of ['', '   ', undefined, null]) expect(message(text)).toBe('FirstNameRequired')
  })
  it.each(['x'.repeat(101), 'a\u0000b', '\ud800', 'a\u202eb', 'a\u2028b', '\u200b', '\u2060 \u2800', '\u3164', '\u{E0041}'])(
    '%j is no name',
    (text) => expect(message(text)).toBe('NameInvalid'),
  )
  it.each(['Ö', '李', 'علی\u200cرضا', 'क्\u200dष', '👩\u200d👧'])('%j is one', (text) => expect(schema.parse(text)).toBe(text))
  it('markup is text', () => expect(schema.parse(' <img onerror=x> ')).toBe('<img onerror=x>'))
})

it('a team needs all seven (PROFILE-8)', () => {
  const issues = team.safeParse({}).error?.issues.map(({ message }) => message)
  expect(issues).toEqual([
    'ClubTypeRequired',
    'ClubNameRequired',
    'TeamNameRequired',
    'TeamCountryRequired',
    'TeamLocationRequired',
    'TeamGenderRequired',
    'AgeGroupRequired',
  ])
})

describe('completeness (HOME-13 to HOME-15)', () => {
  const whole = {
    firstName: 'Sam',
    lastName: 'Okoro',
    birthDate: '2010-05-01',
    countryId: 'France',
    cityId: 'Lyon',
    gender: 'female',
    sport: { id: 'soccer' },
    preferredPosition: { id: 'defence-left' },
  }
  it.each(Object.keys(whole))('without %s nothing is bought by a player', (field) => {
    expect(canBuy(whole)).toBe(true)
    expect(canBuy({ ...whole, [field]: null })).toBe(false)
  })
  it('the brief needs neither country nor city', () => {
    expect(canOpenBrief({ ...whole, countryId: null, cityId: null })).toBe(true)
    expect(canOpenBrief({ ...whole, gender: null })).toBe(false)
  })
  it('a coach needs name, country and city', () => {
    expect(canBuyTokens({ firstName: 'A', lastName: 'B', countryId: 'C', cityId: 'D' })).toBe(true)
    expect(canBuyTokens({ firstName: 'A', lastName: 'B', countryId: 'C', cityId: '' })).toBe(false)
  })
})
