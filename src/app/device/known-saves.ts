import { withKnownId } from '#app/sync/file-content.ts'

/** Ids that a file of answers lists as known and the disk may not have: of saves sent without the disk, and of files. By instance id. */
const knownIds = new Map<string, string[]>()

export function addKnownId(instanceId: string, id: string): void {
  knownIds.set(instanceId, withKnownId(knownIds.get(instanceId) ?? [], id))
}

export function knownIdsOf(instanceId: string): readonly string[] {
  return knownIds.get(instanceId) ?? []
}
