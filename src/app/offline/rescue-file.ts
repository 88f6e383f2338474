export { download } from '#app/ui/download.ts'
import { loadInstance, loadRows } from './device-store.ts'
import type { InstanceKey } from './stored.ts'
import { unsentOf } from './sync.ts'

/** Every answer of an instance that is on this device, as a file its owner can keep. Ruling 13 */
export async function rescueFile(key: InstanceKey): Promise<File> {
  const [instance, rows] = await Promise.all([loadInstance(key), loadRows(key)])
  const unsent = new Set(unsentOf(rows).map((row) => row.questionId))
  const content = {
    instanceId: key.instanceId,
    contentVersion: instance?.contentVersion ?? null,
    reason: instance?.trouble?.code ?? null,
    answers: rows.answers.map((row) => ({
      sectionName: row.sectionName,
      questionId: row.questionId,
      value: row.value,
      sent: !unsent.has(row.questionId),
    })),
  }
  return new File([JSON.stringify(content, null, 2)], `touchline-${key.instanceId}.json`, { type: 'application/json' })
}
