import { MINUTE_MS } from '#contract/rules/dates.ts'
import type { StoredGroup } from '#contract/rules/merge.ts'
import type { AnswersChange, AnswersPort, AnswersSnapshot, LastSave } from './save-answers.ts'

const INSTANCES_MAXIMUM = 2000

interface CachedAnswers {
  userId: string
  snapshot: AnswersSnapshot & { groups: Map<string, StoredGroup> }
  /** the save that led to it; null if it was read, and is cached only for the write that follows */
  save: LastSave | null
  until: number
}

/**
 * Caches the state after a save for a minute, so that the player's next save needs no read. If another process has written since,
 * or a backup was restored, the write finds out: it succeeds only at the revision it is based on, and only if the save that led to
 * it is still the instance's last.
 */
export function cacheAnswers(port: AnswersPort, now: () => Date): AnswersPort {
  const known = new Map<string, CachedAnswers>()

  function store(instanceId: string, userId: string, save: LastSave | null, snapshot: CachedAnswers['snapshot']): void {
    // least recently used first
    known.delete(instanceId)
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size >= INSTANCES_MAXIMUM) known.delete(oldest)
    known.set(instanceId, { userId, save, snapshot, until: now().getTime() + MINUTE_MS })
  }

  return {
    async read(instanceId, userId, operationId, asked) {
      const one = known.get(instanceId)
      if (asked === 'cached' && one?.userId === userId && one.save !== null && one.until > now().getTime()) {
        return { ...one.snapshot, cachedFrom: one.save }
      }
      const snapshot = await port.read(instanceId, userId, operationId, asked)
      if (snapshot) store(instanceId, userId, null, { ...snapshot, groups: new Map(snapshot.groups), operation: null })
      return snapshot
    },

    readLogged: (instanceId, operationIds) => port.readLogged(instanceId, operationIds),

    async write(change) {
      const before = known.get(change.instanceId)
      known.delete(change.instanceId)
      const at = await port.write(change)
      if (at !== undefined && before?.snapshot.revision === change.expectedRevision) {
        const save = change.operation ? { operation: change.operation.id, at } : null
        store(change.instanceId, change.userId, save, after(before.snapshot, change))
      }
      return at
    },
  }
}

/**
 * The answers after a save, changed in place: nobody else needs the earlier state, as a write that is based on it would fail, and a copy for
 * each save would cost as much as its answers do.
 */
function after({ groups, ...snapshot }: CachedAnswers['snapshot'], { changed, added, save }: AnswersChange): CachedAnswers['snapshot'] {
  for (const group of changed) groups.set(group.questionId, group)
  for (const group of added) groups.set(group.questionId, group)
  return { ...snapshot, status: 'IN_PROGRESS', revision: save.revision, groups }
}
