import type { AllocatedInstance } from '#contract/instances.coach.ts'

/** How many players were given an assessment, have started one (finished or not), and have finished one. HOME-3 */
interface CoachFigures {
  invited: number | undefined
  started: number | undefined
  completed: number | undefined
}

export function coachFigures(team: readonly AllocatedInstance[] | undefined): CoachFigures {
  const count = (...statuses: string[]) => team && countPeople(team.filter(({ status }) => statuses.includes(status)))
  return { invited: team && countPeople(team), started: count('IN_PROGRESS', 'COMPLETED'), completed: count('COMPLETED') }
}

/** A player with a result has a coach's page; a closed or erased account has none, and its row no user (PRIVACY-4). TEAM-8 */
export function hasReport({ status, userId }: AllocatedInstance): boolean {
  return status === 'COMPLETED' && userId !== null
}

/** How many players these are: one may have several assessments. */
function countPeople(team: readonly AllocatedInstance[]): number {
  return new Set(team.map(personKeyOf)).size
}

/** Identifies the player by address; if the account is erased, by the instance. */
export function personKeyOf({ userEmail, instanceId }: AllocatedInstance): string {
  return userEmail === '' ? instanceId : userEmail.toLowerCase()
}

/** State of the history entry of a coach's page that was opened from the team's table: the entry before it has the table's view. */
export const FROM_TEAM = { isFromTeam: true }
export const isFromTeam = () => (history.state as Partial<typeof FROM_TEAM> | null)?.isFromTeam === true
