import { INITIALS_MAXIMUM } from '#app/constants.ts'

/** Up to 2 letters; '' without a name. PROFILE-33 */
export function initialsOf(...names: (string | null)[]): string {
  const letters = names.flatMap((name) => [...(name ?? '').trim()].slice(0, 1))
  return letters.slice(0, INITIALS_MAXIMUM).join('').toLocaleUpperCase()
}
