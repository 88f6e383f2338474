import type { Deps } from '../deps.ts'

/** A random id without 8 digits in a row: its URL is in a mail, where only a one-time code may be such a run (MAIL-1). */
export function instanceIdFor({ random }: Pick<Deps, 'random'>): string {
  let id = random.id()
  while (/\d{8}/.test(id)) id = random.id()
  return id
}
