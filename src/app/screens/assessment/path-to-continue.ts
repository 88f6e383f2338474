import { call } from '#app/api/call.ts'
import { instancesOf, readRows } from '#app/device/store/device-store.ts'
import type { StoredInstance } from '#app/device/store/stored.ts'
import { paths } from '#app/paths.ts'
import { unsentOf } from '#app/sync/sync.ts'
import { instances } from '#contract/instances.ts'
import { isOpen } from '#contract/rules/statuses.ts'

/**
 * Where the shortcut "Continue" leads: to the questions of the assessment under way on this device, else in the account, else to the
 * dashboard. Never rejects. INSTALL-6
 */
export async function pathToContinue(userId: string): Promise<string> {
  const instanceId = (await underWayHere(userId).catch(() => undefined)) ?? (await underWayInAccount(userId).catch(() => undefined))
  return instanceId === undefined ? paths.home() : paths.test(instanceId)
}

async function underWayHere(userId: string): Promise<string | undefined> {
  const stored = (await instancesOf(userId)).filter(({ summary }) => isOpen(summary.status))
  const begun = await Promise.all(
    stored.map(async (instance) => {
      const rows = await readRows(instance)
      return rows.answers.length > 0 ? [{ instance, hasUnsent: unsentOf(rows).length > 0 }] : []
    }),
  )
  const latest = ({ savedAt, storedAt }: StoredInstance) => savedAt ?? storedAt
  const [first] = begun.flat().toSorted((a, b) => Number(b.hasUnsent) - Number(a.hasUnsent) || latest(b.instance) - latest(a.instance))
  return first?.instance.instanceId
}

async function underWayInAccount(userId: string): Promise<string | undefined> {
  const { data } = await call(instances.list, { query: { userId } })
  return data.find(({ status }) => status === 'IN_PROGRESS')?.instanceId
}
