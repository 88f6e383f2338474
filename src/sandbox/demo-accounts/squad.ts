import type { PLAYER_TYPES, TABLE_POSITIONS } from '#contract/constants.ts'
import type { GENDERS } from '#contract/rules/profile.ts'

/** A player of the demo coach. */
export interface SquadPlayer {
  name: readonly [first: string, last: string]
  gender: (typeof GENDERS)[number]
  email: string
  /** false: invited, but never signed in */
  hasAccount: boolean
  /** days ago when the assessment was allocated, started and completed */
  given: number
  began?: number
  finished?: number
  /** share of the questionnaire that is answered, 0–1 */
  share: number
  /** varies the answers, so that players get different types */
  seed: number
  team: string | null
  position: (typeof TABLE_POSITIONS)[number] | null
  type: (typeof PLAYER_TYPES)[number] | null
}

type Person = readonly [name: string, gender: SquadPlayer['gender'], team: string | null, SquadPlayer['position'], SquadPlayer['type']]
type Progress = Pick<SquadPlayer, 'given' | 'share' | 'seed'> & Partial<Pick<SquadPlayer, 'began' | 'finished' | 'hasAccount'>>

const done = (given: number, began: number, finished: number, seed: number): Progress => ({ given, began, finished, share: 1, seed })
const begun = (given: number, began: number, share: number): Progress => ({ given, began, share, seed: given })
const waiting = (given: number, hasAccount: boolean): Progress => ({ given, hasAccount, share: 0, seed: 0 })

const players: readonly (readonly [Person, Progress])[] = [
  [['Maya Gagnon', 'female', 'First team', 'Striker', 'CURRENT'], done(44, 43, 42, 2)],
  [['Thomas Roy', 'male', 'First team', 'Goalkeeper', 'CURRENT'], done(44, 40, 38, 1)],
  [['Inès Benali', 'female', 'First team', 'Midfielder', 'CURRENT'], done(44, 43, 43, 10)],
  [['Liam Gallagher', 'male', 'Reserves', 'Full Back', 'CURRENT'], done(37, 35, 33, 7)],
  [['Zoé Pelletier', 'female', 'U19', 'Winger', 'POTENTIAL'], done(37, 30, 29, 4)],
  [['Mateo Silva', 'male', 'U19', 'Forward', 'POTENTIAL'], done(30, 29, 26, 3)],
  [['Aïcha Diallo', 'female', 'First team', 'Center Back', 'CURRENT'], done(23, 22, 19, 17)],
  [['Noah Lavoie', 'male', 'Reserves', 'Midfielder', null], done(16, 12, 9, 22)],
  [['Emma Fortin', 'female', 'First team', 'Defender', 'CURRENT'], begun(16, 15, 0.95)],
  [['Lucas Bouchard', 'male', 'Reserves', 'Striker', 'CURRENT'], begun(13, 11, 0.7)],
  [['Priya Sharma', 'female', 'U19', 'Midfielder', 'POTENTIAL'], begun(12, 8, 0.5)],
  [['Gabriel Côté', 'male', 'U19', 'Winger', 'POTENTIAL'], begun(9, 4, 0.25)],
  [['Sofia Rossi', 'female', null, null, null], begun(6, 2, 0.1)],
  [['Adam Nguyen', 'male', 'U19', 'Full Back', 'POTENTIAL'], waiting(9, true)],
  [['Chloé Morin', 'female', 'Reserves', 'Goalkeeper', null], waiting(6, true)],
  [['Ethan Clark', 'male', null, null, null], waiting(4, true)],
  [['Juliette Caron', 'female', null, null, null], waiting(8, false)],
  [['Karim Haddad', 'male', 'U19', 'Forward', 'POTENTIAL'], waiting(5, false)],
  [['Olivia Martin', 'female', null, null, null], waiting(3, false)],
  [['Victor Leblanc', 'male', null, null, null], waiting(1, false)],
]

/** Twenty players in all states, some invited weeks ago. OPERATE-7 */
export const SQUAD: readonly SquadPlayer[] = players.map(([[name, gender, team, position, type], progress]) => {
  const [first = '', last = ''] = name.split(' ')
  // é → e: addresses have no accents
  const email = `${first}.${last}@demo.test`.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return { name: [first, last], gender, email, team, position, type, hasAccount: true, ...progress }
})

/** The profile's position for each position of the team table. */
export const PROFILE_POSITIONS: Record<(typeof TABLE_POSITIONS)[number], string> = {
  Forward: 'forward-centre',
  Midfielder: 'midfield-centre',
  Defender: 'defence-centre',
  Goalkeeper: 'goalkeeper',
  Winger: 'forward-left',
  Striker: 'forward-centre',
  'Center Back': 'defence-centre',
  'Full Back': 'defence-right',
}
