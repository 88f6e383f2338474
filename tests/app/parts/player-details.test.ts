import { describe, expect, it, vi, afterEach } from 'vitest'
import { noteServerDate } from '#app/api/server-clock.ts'
import { api } from '#contract/api.ts'
import type { Profile } from '#contract/users.ts'
import { coachBodyOf, coachDetails, coachReview, coachReviewBodyOf, coachValuesOf } from '#app/parts/details/coach-details.ts'
import { emptyTeam, fieldOnScreen, playerBodyOf, playerDetails, playerValuesOf } from '#app/parts/details/player-details.ts'
import { TEAMS_MAXIMUM } from '#contract/rules/profile.ts'

afterEach(() => {
  vi.useRealTimers()
})

const team = {
  clubType: 'academy',
  clubName: 'AS Test',
  teamName: 'U17 A',
  country: 'France',
  location: 'Évry-Courcouronnes',
  teamGender: 'girls',
  ageGroup: 'under 17',
}

const filled = {
  firstName: ' Ada ',
  lastName: 'Hegerberg',
  email: 'ada@demo.test',
  countryId: 'France',
  cityId: 'Lyon',
  gender: 'female',
  birth: { month: '03', year: '2008' },
  preferredPositionId: 'striker',
  teams: [team],
}

const empty = {
  firstName: ' ',
  lastName: '',
  email: 'a@',
  countryId: '',
  cityId: '',
  gender: '',
  birth: { month: '', year: '' },
  preferredPositionId: '',
  teams: [emptyTeam],
}

function messagesOf(values: typeof filled, minimumAge?: number): Record<string, string> {
  const parsed = playerDetails(minimumAge).safeParse(values)
  return Object.fromEntries(parsed.error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? [])
}

describe('the player’s details', () => {
  it('are judged by the server’s clock, not the device’s', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2016-11-30T12:00:00Z') })
    noteServerDate('Mon, 30 Nov 2026 12:00:00 GMT')
    expect(messagesOf({ ...filled, birth: { month: '03', year: '2012' } }, 13)).toEqual({})
    expect(messagesOf({ ...filled, birth: { month: '03', year: '2015' } }, 13)).toEqual({ 'birth.year': 'TooYoung' })
    noteServerDate(new Date().toUTCString())
  })

  it('are sent as PROFILE-14 says', () => {
    const body = playerBodyOf(playerDetails(13).parse(filled))
    expect(body).toEqual({
      firstName: 'Ada',
      lastName: 'Hegerberg',
      email: 'ada@demo.test',
      cityId: 'Lyon',
      countryId: 'France',
      gender: 'female',
      birthDate: '2008-03-01',
      preferredPosition: { id: 'striker', name: 'striker' },
      sport: { id: 'soccer', name: 'Soccer' },
      teams: [
        {
          clubType: { id: 'academy', name: 'academy' },
          clubName: 'AS Test',
          teamName: 'U17 A',
          country: { id: 'France', name: 'France' },
          location: { id: 'Évry-Courcouronnes', name: 'Évry-Courcouronnes' },
          teamGender: 'girls',
          ageGroup: { id: 'under 17', name: 'under 17' },
        },
      ],
    })
    expect(api.users.update.body.parse(body)).toEqual(body)
  })

  it('name every missing field with its message (PROFILE-6, PROFILE-8)', () => {
    expect(messagesOf(empty)).toEqual({
      firstName: 'FirstNameRequired',
      lastName: 'LastNameRequired',
      email: 'EmailInvalid',
      countryId: 'CountryRequired',
      cityId: 'CityRequired',
      gender: 'GenderRequired',
      'birth.month': 'BirthDateRequired',
      'birth.year': 'BirthDateRequired',
      preferredPositionId: 'BestPositionRequired',
      'teams.0.clubType': 'ClubTypeRequired',
      'teams.0.clubName': 'ClubNameRequired',
      'teams.0.teamName': 'TeamNameRequired',
      'teams.0.country': 'TeamCountryRequired',
      'teams.0.location': 'TeamLocationRequired',
      'teams.0.teamGender': 'TeamGenderRequired',
      'teams.0.ageGroup': 'AgeGroupRequired',
    })
  })

  it('refuse a month in the future, even while other fields are empty', () => {
    vi.useFakeTimers({ now: new Date('2026-03-15T12:00:00Z') })
    expect(messagesOf({ ...filled, birth: { month: '04', year: '2026' } })).toEqual({ 'birth.month': 'BirthDateInvalid' })
    expect(messagesOf({ ...filled, birth: { month: '03', year: '2026' } })).toEqual({})
    expect(messagesOf({ ...empty, birth: { month: '04', year: '2026' } })).toMatchObject({ 'birth.month': 'BirthDateInvalid' })
  })

  it('refuse somebody too young, by month of birth, once the minimum age is known', () => {
    vi.useFakeTimers({ now: new Date('2026-03-15T12:00:00Z') })
    const bornIn = (month: string, year: string) => ({ ...filled, birth: { month, year } })
    expect(messagesOf(bornIn('04', '2013'), 13)).toEqual({ 'birth.year': 'TooYoung' })
    expect(messagesOf(bornIn('03', '2013'), 13)).toEqual({})
    expect(messagesOf(bornIn('04', '2013'), 12)).toEqual({})
    expect(messagesOf(bornIn('04', '2013'))).toEqual({})
    expect(messagesOf(bornIn('04', '2026'), 13)).toEqual({ 'birth.month': 'BirthDateInvalid' })
    expect(messagesOf({ ...empty, birth: { month: '04', year: '2013' } }, 13)).toMatchObject({ 'birth.year': 'TooYoung' })
  })

  it.each(['x'.repeat(101), 'a\u0000b', 'a\u202eb', '\ud800'])('refuse the name %j', (firstName) => {
    expect(messagesOf({ ...filled, firstName })).toEqual({ firstName: 'NameInvalid' })
  })

  it('keep markup in a name as text', () => {
    expect(playerDetails(13).parse({ ...filled, firstName: '<img onerror>' }).firstName).toBe('<img onerror>')
  })

  it('accept no more teams than the contract allows', () => {
    const teams = Array.from({ length: TEAMS_MAXIMUM + 1 }, () => team)
    expect(messagesOf({ ...filled, teams })).toEqual({ teams: 'TooManyTeams' })
  })

  it('start from the profile and are sent back unchanged', () => {
    const profile: Profile = {
      userId: 'u1',
      userTypeCode: 'player',
      hasProfilePicture: false,
      ...api.users.update.body.parse(playerBodyOf(playerDetails(13).parse(filled))),
    } as Profile // every field of it is given
    expect(playerValuesOf(profile)).toEqual({ ...filled, firstName: 'Ada' })
  })

  it('start empty for a new account', () => {
    const profile: Profile = {
      userId: 'u1',
      userTypeCode: 'player',
      firstName: null,
      lastName: null,
      email: 'new@demo.test',
      cityId: null,
      countryId: null,
      gender: null,
      birthDate: null,
      preferredPosition: null,
      sport: null,
      hasProfilePicture: false,
      teams: [],
    }
    expect(playerValuesOf(profile)).toEqual({
      ...empty,
      firstName: '',
      email: 'new@demo.test',
      teams: [],
    })
  })

  it.each([
    ['birthDate', 'birth.year'],
    ['preferredPosition.id', 'preferredPositionId'],
    ['teams.1.clubType.id', 'teams.1.clubType'],
    ['cityId', 'cityId'],
  ])('show the server’s %s at %s', (server, screen) => {
    expect(fieldOnScreen(server)).toBe(screen)
  })
})

describe('the coach’s details', () => {
  const { gender: _gender, birth: _birth, preferredPositionId: _position, ...coach } = filled

  it('are sent without the fields that only players have', () => {
    const body = coachBodyOf(coachDetails.parse(coach))
    expect(Object.keys(body).toSorted()).toEqual(['cityId', 'countryId', 'email', 'firstName', 'lastName', 'teams'])
    expect(body.teams?.[0]?.clubType).toEqual({ id: 'academy', name: 'academy' })
  })

  it('are reviewed before buying without the teams, which then stay as they are', () => {
    const { teams: _teams, ...person } = coach
    expect(Object.keys(coachReviewBodyOf(coachReview.parse(person))).toSorted()).toEqual([
      'cityId',
      'countryId',
      'email',
      'firstName',
      'lastName',
    ])
  })

  it('have the same messages', () => {
    const { gender: _g, birth: _b, preferredPositionId: _p, teams: _t, ...personal } = empty
    const issues = coachDetails.safeParse({ ...personal, teams: [] }).error?.issues ?? []
    expect(issues.map((issue) => issue.message)).toEqual([
      'FirstNameRequired',
      'LastNameRequired',
      'EmailInvalid',
      'CountryRequired',
      'CityRequired',
    ])
  })

  it('start empty for a coach without a profile', () => {
    const profile = { email: 'c@demo.test', firstName: null, lastName: null, countryId: null, cityId: null, teams: [] }
    expect(coachValuesOf(profile as unknown as Profile)).toEqual({
      firstName: '',
      lastName: '',
      email: 'c@demo.test',
      countryId: '',
      cityId: '',
      teams: [],
    }) // the rest of a profile is not looked at
  })
})
