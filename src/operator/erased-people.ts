import type { Database } from '#server/db/database.ts'
import { listErasedPeopleInBackup, type ErasedPeopleInBackup } from '#server/db/erased-before-restore.ts'
import type { Tool } from './tool.ts'

/** Tells the operator about people who were erased and are back. PRIVACY-13 */
export async function warnOfErasedPeople(tool: Tool, db: Database): Promise<void> {
  for (const sentence of describeErasedPeople(await listErasedPeopleInBackup(db, tool.now()))) tool.warn(sentence)
}

export function describeErasedPeople({ ids, isWhole }: ErasedPeopleInBackup): string[] {
  const found = isWhole
    ? []
    : ['Could not read which people the replaced database had erased. Anyone erased after the backup is back: erase them again.']
  if (ids.length === 0) return found
  const commands = ids.map((id) => `touchline erase ${id} --yes`).join('; ')
  return [...found, `People erased after the backup who are back: ${ids.length}. Once the server runs, erase them again: ${commands}`]
}
