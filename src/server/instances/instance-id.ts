import type { Deps } from '../deps.ts'

/** Its address stands in a mail, where a one-time code is the only run of 8 digits (MAIL-1). */
export function instanceIdFor({ random }: Pick<Deps, 'random'>): string {
  let id = random.id()
  while (/\d{8}/.test(id)) id = random.id()
  return id
}
