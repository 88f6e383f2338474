import { SPORT } from '#contract/constants.ts'

/** The club of the demo accounts. */
export const place = { countryId: 'Canada', cityId: 'Montréal' }
const clubName = 'Touchline FC'
export const team = {
  clubType: { id: 'amateur-club', name: 'amateur-club' },
  clubName,
  teamName: 'First team',
  country: { id: 'Canada', name: 'Canada' },
  location: { id: 'Montréal', name: 'Montréal' },
  teamGender: 'mixed',
  ageGroup: { id: 'senior', name: 'senior' },
}
/** The fields that all demo players have in common. */
export const player = { ...place, birthDate: '2004-05-01', sport: SPORT, teams: [team] }

// the position's name is set equal to its id: PROFILE-14
export function position(id: string) {
  return { id, name: id }
}
