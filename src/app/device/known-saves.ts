import { knownWith } from '#app/sync/file-content.ts'

/** Ids that a file of answers names as known, where the disk may not have them: saves past the disk, and files. By instance id. */
const ofPage = new Map<string, string[]>()

export function noteKnown(instanceId: string, id: string): void {
  ofPage.set(instanceId, knownWith(ofPage.get(instanceId) ?? [], id))
}

export function knownHere(instanceId: string): readonly string[] {
  return ofPage.get(instanceId) ?? []
}
