import { download } from '#app/ui/browser/download.ts'
import { readInstance, readRows } from './store/device-store.ts'
import type { InstanceRows } from '#app/sync/rows.ts'
import type { InstanceKey } from './store/stored.ts'
import { unsentOf } from '#app/sync/sync.ts'

/**
 * Downloads this device's answers of an instance as a JSON file. ANSWERS-7
 * @param edits only these; undefined: all
 * @param onScreen the rows on screen, where the device could not store them
 */
export async function saveRescueFile(key: InstanceKey, edits?: readonly string[], onScreen?: InstanceRows): Promise<void> {
  const [instance, rows] = onScreen
    ? [await readInstance(key).catch(() => undefined), onScreen]
    : await Promise.all([readInstance(key), readRows(key)])
  const unsent = new Set(unsentOf(rows).map((row) => row.questionId))
  const content = {
    instanceId: key.instanceId,
    contentVersion: instance?.contentVersion ?? null,
    reason: instance?.trouble?.code ?? null,
    answers: rows.answers
      .filter(({ edit }) => !edits || edits.includes(edit))
      .map((row) => ({
        sectionName: row.sectionName,
        questionId: row.questionId,
        value: row.value,
        sent: !unsent.has(row.questionId),
      })),
  }
  download(new File([JSON.stringify(content, null, 2)], `touchline-${key.instanceId}.json`, { type: 'application/json' }))
}
