/**
 * Whether a change of the field begins another code: it empties the field, changes the first digit, or replaces, inserts or removes
 * several digits at once, as a paste or a keyboard's suggestion does. Otherwise the code in the field is continued or corrected.
 */
export function beginsNewCode(before: string, next: string): boolean {
  if (next === '' || next[0] !== before[0]) return true
  let same = 0
  while (same < Math.min(before.length, next.length) && before[same] === next[same]) same += 1
  let sameAtEnd = 0
  const most = Math.min(before.length, next.length) - same
  while (sameAtEnd < most && before.at(-1 - sameAtEnd) === next.at(-1 - sameAtEnd)) sameAtEnd += 1
  return Math.max(before.length, next.length) - same - sameAtEnd > 1
}
