import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { isApiError } from '#app/api/api-error.ts'
import { call } from '#app/api/call.ts'
import { mayBeDone, trackReply } from '#app/api/lost-replies.ts'
import { unlessSignedOut } from '#app/api/unless-signed-out.ts'
import { invalidateTags, invalidateChangedBy } from '#app/api/query-port.ts'
import { reader } from '#app/api/session-port.ts'
import { useReaderId } from '#app/api/use-reader-id.ts'
import { isAfter } from '#app/device-clock.ts'
import type { WordsKey } from '#app/ui/feedback/recent-errors.ts'
import { errorToast, toast } from '#app/ui/feedback/toast.ts'
import { instancesForCoach, type AllocatedInstance } from '#contract/instances.coach.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { orDash, type TeamWords } from '#app/screens/team/team-player.ts'

/** A change to one of a row's three editable fields. TEAM-9 */
export type TeamChange = Omit<BodyOf<typeof instancesForCoach.update>, 'ownerUserId'>

/** What the cells of a row need for editing. */
export interface TeamEditing {
  /** id of the element that says why nothing can be edited now; undefined if it can */
  reasonId: string | undefined
  save: (instanceId: string, change: TeamChange) => void
  /** called on an attempt to edit anyway: checks the connection again */
  ask: () => void
}

/** A change shown before the rows are read again; `savedAt` is set once the server has it. */
interface PendingChange {
  instanceId: string
  change: TeamChange
  savedAt?: number
}

const isPending = ({ savedAt }: PendingChange, readAt: number) => savedAt === undefined || !isAfter(readAt, savedAt)

/** The rows with pending changes applied. */
export function withPending(
  instances: readonly AllocatedInstance[],
  pending: readonly PendingChange[],
  readAt: number,
): readonly AllocatedInstance[] {
  const waiting = pending.filter((one) => isPending(one, readAt))
  if (waiting.length === 0) return instances
  return instances.map((instance) => {
    const own = waiting.filter(({ instanceId }) => instanceId === instance.instanceId)
    return own.length === 0 ? instance : Object.assign({}, instance, ...own.map(({ change }) => change))
  })
}

const failures = {
  userTeam: 'team:TeamNotUpdated',
  userPositionName: 'team:PositionNotUpdated',
  userPlayerType: 'team:PlayerTypeNotUpdated',
} as const satisfies Record<keyof TeamChange, WordsKey>

/** Edits rows: a cell has its new value at once and reverts if the server refuses it. TEAM-9, TEAM-10 */
export function useTeamEdits(instances: readonly AllocatedInstance[], readAt: number, words: TeamWords) {
  const { t } = useTranslation(['team', 'home'])
  const userId = useReaderId()
  const [pending, setPending] = useState<readonly PendingChange[]>([])
  const rows = useMemo(() => withPending(instances, pending, readAt), [instances, pending, readAt])
  const latest = useRef({ instances, words, readAt })
  useEffect(() => {
    latest.current = { instances, words, readAt }
  }, [instances, words, readAt])
  // per row, as its edits must arrive in order
  const queues = useRef(new Map<string, Promise<unknown>>())

  const edit = useCallback(
    async (instanceId: string, change: TeamChange) => {
      // a cell that goes away with its coach's session
      if (userId === undefined || reader.id() !== userId) return
      const instance = latest.current.instances.find((one) => one.instanceId === instanceId)
      if (!instance) return errorToast('home:InstanceNotFound')
      const one: PendingChange = { instanceId, change }
      setPending((before) => [...before.filter((other) => isPending(other, latest.current.readAt)), one])
      const cell = `edit ${instanceId} ${fieldOf(change)}`
      const body = { ...change, ownerUserId: instance.userId ?? userId }
      const sending = (queues.current.get(instanceId) ?? Promise.resolve()).then(() =>
        trackReply(cell, () => call(instancesForCoach.update, { params: { instanceId }, body }, { userId, isKeptAlive: true }), userId),
      )
      queues.current.set(
        instanceId,
        sending.catch(() => undefined),
      )
      try {
        await unlessSignedOut(() => sending)
      } catch (error) {
        setPending((before) => before.filter((other) => other !== one))
        const isReclaimed = isApiError(error) && error.refusedWith(404)
        // on another device: its token is available again
        if (isReclaimed) invalidateTags(['CoachAssessments', 'Token'])
        const failure = isReclaimed ? 'home:InstanceNotFound' : failures[fieldOf(change)]
        if (!mayBeDone(cell, userId)) return errorToast(failure)
        // the list may not come either
        invalidateTags(['CoachAssessments'])
        return errorToast(failure, `${t(failure)} ${t('TeamMayBeUpdated')}`)
      }
      const saved = { ...one, savedAt: Date.now() }
      setPending((before) => before.map((other) => (other === one ? saved : other)))
      toast(successOf(change, latest.current.words, t))
      invalidateChangedBy(instancesForCoach.update)
    },
    [t, userId],
  )
  return { rows, edit }
}

function fieldOf(change: TeamChange): keyof TeamChange {
  const [field] = Object.keys(change) as (keyof TeamChange)[]
  return field ?? 'userTeam'
}

function successOf({ userTeam, userPositionName, userPlayerType }: TeamChange, words: TeamWords, t: Translate): string {
  if (userPlayerType !== undefined) return t('PlayerTypeUpdated', { type: words.type(userPlayerType) })
  if (userPositionName !== undefined)
    return t('PositionUpdated', { position: userPositionName ? words.position(userPositionName) : orDash('') })
  return t('TeamUpdated', { team: orDash(userTeam ?? '') })
}

type Translate = (key: string, values?: Record<string, string>) => string
