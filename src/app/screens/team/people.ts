import type { AllocatedInstance } from '#contract/instances.coach.ts'

/** Counts of the summary block: who got an assessment, who has started (finished or not), and who has finished. HOME-3 */
export interface CoachFigures {
  invited: number | undefined
  started: number | undefined
  completed: number | undefined
}

export function coachFigures(team: readonly AllocatedInstance[] | undefined): CoachFigures {
  const count = (...statuses: string[]) => team && peopleIn(team.filter(({ status }) => statuses.includes(status)))
  return { invited: team && peopleIn(team), started: count('IN_PROGRESS', 'COMPLETED'), completed: count('COMPLETED') }
}

/** A player may have been given several assessments. */
export function peopleIn(team: readonly AllocatedInstance[]): number {
  return new Set(team.map(personOf)).size
}

/** Identified by address; once the account is erased, only the instance is left to tell them apart. */
export function personOf({ userEmail, instanceId }: AllocatedInstance): string {
  return userEmail === '' ? instanceId : userEmail.toLowerCase()
}
