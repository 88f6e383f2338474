import type { AllocatedInstance } from '#contract/instances.coach.ts'

/** Example rows, which cannot be edited and are never stored. TEAM-16 */
const rows = [
  {
    status: 'COMPLETED',
    userTeam: 'U17',
    userPositionName: 'Midfielder',
    userPlayerType: 'CURRENT',
    completedDate: '2026-09-14T10:00:00Z',
  },
  { status: 'IN_PROGRESS', userTeam: 'U17', userPositionName: 'Goalkeeper', userPlayerType: 'CURRENT', completedDate: null },
  { status: 'ALLOCATED', userTeam: null, userPositionName: null, userPlayerType: 'POTENTIAL', completedDate: null },
] as const

interface ExampleWords {
  /** the name of an example, by its number */
  nameOf: (number: number) => string
  /** a learning style */
  result: string
  /** file of the sample report */
  report: string
}

export function exampleTeam({ nameOf, result, report }: ExampleWords): AllocatedInstance[] {
  return rows.map((row, at) => ({
    ...row,
    instanceId: `example-${at + 1}`,
    assessmentId: '',
    userId: null,
    userName: nameOf(at + 1),
    userLastname: null,
    // a reserved domain (RFC 2606)
    userEmail: `example${at + 1}@example.com`,
    userSportId: null,
    userSportName: null,
    userPositionId: null,
    allocatedAt: null,
    name: '',
    coachFirstName: null,
    coachLastName: null,
    estimatedTimeMinutes: 0,
    SampleReportFilename: report,
    answeredCount: 0,
    itemCount: 0,
    invitation: null,
    hasProfilePicture: false,
    results: row.status === 'COMPLETED' ? resultOf(result) : null,
  }))
}

function resultOf(result: string): AllocatedInstance['results'] {
  const style = { value: 'example', result }
  const axes = ['EI', 'NS', 'FT', 'PJ'].map((axis) => ({ axis, first: axis.charAt(0), second: axis.charAt(1), letter: axis.charAt(0) }))
  return { Section1: { ...style, styles: [style] }, section2: { value: 'ENFP', label: 'ENFP', axes } }
}
