import { randomUUID } from 'node:crypto'
import { seal } from '#app/device/seal.ts'
import { fileSealOf } from '#server/instances/file-seal.ts'
import type { TestServer } from './start-server.ts'

/** An answers file with one answer, as this player's device would make it for this instance. */
export function fileWithOneAnswer({ deps }: TestServer, instanceId: string, userId: string, contentVersion: string): string {
  const questionId = 's2-q01'
  const row = { questionId, sectionName: 'Section2', value: { [questionId]: 'A' }, base: 0, receipt: 0, isAcknowledged: false }
  const content = { id: randomUUID(), device: randomUUID(), rows: [row], known: [], saving: null }
  return seal(fileSealOf(deps.keys, instanceId, userId), { kid: instanceId, sub: userId, contentVersion, answers: 1, savedAt: 1 }, content)
}
