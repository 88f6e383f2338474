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
    : [
        'Whom the replaced database had erased could not be read from it: whoever was erased after the backup is in it again. Erase them again.',
      ]
  if (ids.length === 0) return found
  const commands = ids.map((id) => `touchline erase ${id} --yes`).join('; ')
  return [...found, `Erased after the backup, and in it again (people: ${ids.length}). Once the server runs, erase them: ${commands}`]
}
