import { readFileSync } from 'node:fs'
import { describePlayer } from '#app/screens/team/table/players.ts'
import type { AllocatedInstance } from '#contract/instances.coach.ts'
import type { TeamPlayer, TeamView, TeamWords } from '#app/screens/team/team-player.ts'

/** The first view of the table: no search and no filter. */
export const everything: TeamView = {
  search: '',
  status: '',
  result: '',
  position: '',
  style: '',
  letters: '',
  sort: 'player',
  isDescending: false,
}

let made = 0

/** An instance as the API sends it to the coach who gave it. */
export function player(change: Partial<AllocatedInstance> = {}): AllocatedInstance {
  made += 1
  return {
    instanceId: `instance-${made}`,
    assessmentId: 'touchline-profile',
    userId: `user-${made}`,
    userName: 'Maya',
    userLastname: null,
    userEmail: `player${made}@club.test`,
    userSportId: null,
    userSportName: null,
    userPositionId: null,
    userPositionName: null,
    userTeam: null,
    userPlayerType: null,
    status: 'ALLOCATED',
    completedDate: null,
    allocatedAt: '2026-01-01T10:00:00.000Z',
    name: 'Touchline Profile',
    coachFirstName: 'Alex',
    coachLastName: 'Bergeron',
    estimatedTimeMinutes: 15,
    SampleReportFilename: 'sample.pdf',
    answeredCount: 0,
    itemCount: 112,
    invitation: null,
    hasProfilePicture: false,
    results: null,
    ...change,
  }
}

export const words: TeamWords = {
  language: 'en',
  status: (status) => `status ${status}`,
  type: (type) => `type ${type}`,
  position: (position) => `position ${position}`,
  noClearStyle: 'no clear style',
  betweenStyles: 'between styles',
}

export const teamOf = (instances: readonly AllocatedInstance[]): TeamPlayer[] => instances.map((one) => describePlayer(one, words))

/** A result in which this style and these letters are clear. */
export function resultOf(value: string, result: string, letters: string): NonNullable<AllocatedInstance['results']> {
  const axes = [...letters].map((letter) => ({ axis: letter, first: letter, second: '-', letter }))
  return { Section1: { value, result, styles: [{ value, result }] }, section2: { value: letters, label: letters, axes } }
}

/** The words of the team table in a language, by their keys. */
export function teamTexts(language: string): Partial<Record<string, string>> {
  return JSON.parse(readFileSync(`locales/${language}/team.json`, 'utf8')) as Partial<Record<string, string>>
}
