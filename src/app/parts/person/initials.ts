import { INITIALS_MAXIMUM } from '#app/constants.ts'

/** The names' first letters, 2 at most; '' without a name. PROFILE-33 */
export function initialsOf(...names: (string | null)[]): string {
  const letters = names.flatMap((name) => [...(name ?? '').trim()].slice(0, 1))
  return letters.slice(0, INITIALS_MAXIMUM).join('').toLocaleUpperCase()
}
