import { describe, expect, it } from 'vitest'
import type { DeviceStatus } from '#app/device/status.ts'
import {
  answeredOf,
  coachName,
  knownInstances,
  openInstances,
  pastInstances,
  playerFigures,
  statusShown,
  stranded,
  takenAs,
} from '#app/screens/player/panels.ts'
import type { InstanceSummary } from '#contract/instances.ts'
import { INSTANCE_STATUSES } from '#contract/rules/statuses.ts'

function instance(change: Partial<InstanceSummary>): InstanceSummary {
  return {
    instanceId: 'i',
    assessmentId: 'a',
    contentVersion: '1',
    userId: 'u',
    userName: null,
    userLastname: null,
    userEmail: 'u@demo.test',
    userSportId: null,
    userSportName: null,
    userPositionId: null,
    userPositionName: null,
    userTeam: null,
    userPlayerType: null,
    status: 'OWNED',
    completedDate: null,
    allocatedAt: null,
    name: 'Touchline',
    coachFirstName: null,
    coachLastName: null,
    estimatedTimeMinutes: 25,
    videoUrls: [],
    results: null,
    SampleReportFilename: '',
    revision: 0,
    answeredCount: 0,
    itemCount: 100,
    ...change,
  }
}

const onDevice = (change: Partial<DeviceStatus> = {}): DeviceStatus => ({
  instanceId: 'i',
  summary: instance({}),
  isNamed: true,
  unsent: 0,
  unwritten: 0,
  unwrittenElsewhere: 0,
  late: 0,
  answered: 0,
  finish: null,
  trouble: null,
  savedAt: null,
  readiness: undefined,
  ...change,
})

describe('the instances that are known', () => {
  it('are those of the list once it was read', () => expect(knownInstances([], true, [onDevice()])).toEqual([]))
  it('are completed where the device has them so, as of a list from before the Submit', () => {
    const completed = instance({ status: 'COMPLETED', completedDate: '2026-11-29' })
    const list = [instance({}), instance({ instanceId: 'other' })]
    expect(knownInstances(list, true, [onDevice({ summary: completed })])).toEqual([completed, instance({ instanceId: 'other' })])
  })
  it('are those on the device if the list cannot be read', () =>
    expect(knownInstances(undefined, true, [onDevice()])).toEqual([instance({})]))
  it('are unknown while the list is loading, and if the device has none either', () => {
    expect(knownInstances(undefined, false, [onDevice()])).toBeUndefined()
    expect(knownInstances(undefined, true, [])).toBeUndefined()
  })
})

const everyStatus = INSTANCE_STATUSES.map((status) => instance({ instanceId: status, status }))

describe('which instance is in which panel (ANSWERS-22)', () => {
  it('in progress: IN_PROGRESS, OWNED, ALLOCATED', () => {
    expect(openInstances(everyStatus).map((one) => one.status)).toEqual(['IN_PROGRESS', 'OWNED', 'ALLOCATED'])
  })

  it('in progress: started ones come first, then the newest', () => {
    const order = openInstances([
      instance({ instanceId: 'old', allocatedAt: '2026-01-01T00:00:00Z' }),
      instance({ instanceId: 'new', allocatedAt: '2026-06-01T00:00:00Z' }),
      instance({ instanceId: 'begun', status: 'IN_PROGRESS', allocatedAt: '2025-01-01T00:00:00Z' }),
    ])
    expect(order.map((one) => one.instanceId)).toEqual(['begun', 'new', 'old'])
  })

  it('past: only COMPLETED, newest first', () => {
    const past = pastInstances([
      ...everyStatus.filter((one) => one.status !== 'COMPLETED'),
      instance({ instanceId: 'first', status: 'COMPLETED', completedDate: '2026-01-01T00:00:00Z' }),
      instance({ instanceId: 'last', status: 'COMPLETED', completedDate: '2026-02-01T00:00:00Z' }),
    ])
    expect(past.map((one) => one.instanceId)).toEqual(['last', 'first'])
  })

  it('a reclaimed instance is in neither', () => {
    const reclaimed = [instance({ status: 'RECLAIMED' })]
    expect([...openInstances(reclaimed), ...pastInstances(reclaimed)]).toEqual([])
  })
})

describe('the summary block (HOME-2)', () => {
  it('counts what is open, waiting to be sent and done', () => {
    expect(playerFigures(everyStatus, [onDevice({ unsent: 3 }), onDevice({ unsent: 1, unwritten: 1 })])).toEqual({
      open: 3,
      waiting: 5,
      done: 1,
    })
  })

  it('counts what waits on the device even while the instances are unknown', () => {
    expect(playerFigures(undefined, [onDevice({ unsent: 2 })])).toEqual({ open: undefined, waiting: 2, done: undefined })
  })

  it('counts unsent answers of a reclaimed instance', () => {
    expect(playerFigures([], [onDevice({ unsent: 4 })]).waiting).toBe(4)
  })
})

describe('unsent answers of an instance that is no longer open (ASSIGN-21)', () => {
  it('are listed for a reclaimed, completed or missing instance', () => {
    const waiting = [...INSTANCE_STATUSES, 'vanished'].map((instanceId) => onDevice({ instanceId, unsent: 1 }))
    expect(stranded(everyStatus, waiting).map((one) => one.instanceId)).toEqual(['COMPLETED', 'RECLAIMED', 'vanished'])
  })

  it('are not listed when there are none', () => {
    expect(stranded([], [onDevice()])).toEqual([])
  })
})

describe('answered n of m', () => {
  it('takes the higher count of server and device', () => {
    const begun = instance({ answeredCount: 10 })
    expect(answeredOf(begun, undefined)).toBe(10)
    expect(answeredOf(begun, onDevice({ answered: 14 }))).toBe(14)
    expect(answeredOf(begun, onDevice({ answered: 2 }))).toBe(10)
  })

  it('is never more than the number of items', () => {
    expect(answeredOf(instance({ itemCount: 5 }), onDevice({ answered: 9 }))).toBe(5)
  })
})

describe('the badge', () => {
  it('shows an assessment started on this device as IN_PROGRESS before the list does', () => {
    expect(statusShown(instance({}), undefined)).toBe('OWNED')
    expect(statusShown(instance({}), onDevice({ answered: 1 }))).toBe('IN_PROGRESS')
    expect(statusShown(instance({ status: 'ALLOCATED' }), onDevice({ answered: 1 }))).toBe('IN_PROGRESS')
    expect(statusShown(instance({ status: 'COMPLETED' }), onDevice({ answered: 1 }))).toBe('COMPLETED')
  })
})

describe('the coach named on a card', () => {
  it('has first and last name, or the only one there is', () => {
    expect(coachName(instance({ coachFirstName: 'Ada', coachLastName: 'Keita' }))).toBe('Ada Keita')
    expect(coachName(instance({ coachLastName: 'Keita' }))).toBe('Keita')
    expect(coachName(instance({}))).toBeUndefined()
  })
})

describe('an assessment on offer that the player has already', () => {
  it('counts as open while one instance is open, else as done', () => {
    const done = instance({ status: 'COMPLETED' })
    expect(takenAs('a', [done, instance({ status: 'IN_PROGRESS' })])).toBe('open')
    expect(takenAs('a', [done])).toBe('done')
  })

  it('does not count for an instance of another assessment or a reclaimed one', () => {
    expect(takenAs('a', [instance({ assessmentId: 'b' }), instance({ status: 'RECLAIMED' })])).toBeUndefined()
  })
})
