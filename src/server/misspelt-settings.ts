/** Finds variables that are probably misspelt names of settings. */

/** Prefixes of our settings. An unknown variable with one of these is probably a mistake. */
const OUR_PREFIXES =
  /^(TOUCHLINE|PUBLIC|METRICS|DRAIN|DATABASE|STRIPE|S3|SMTP|MAILS?|TOKEN|LINK|MEDIA|PORTAL|AUDIT|OPERATOR|TRUST|REQUEST|CALL|READS?|WRITES|STARTS|VERIFIES|REFRESHES|MINIMUM|ASSESSMENT)_/
const EDITS_MAXIMUM = 2
const LIKE_LENGTH_MINIMUM = 6

/** Unknown names that resemble one of ours (`like`), or only share a prefix, which other programs may have set. */
export function namesLike(ours: readonly string[], given: readonly string[]): { name: string; like: string | undefined }[] {
  // any name would resemble a short one
  const long = ours.filter((one) => one.length >= LIKE_LENGTH_MINIMUM)
  return given
    .filter((name) => !ours.includes(name) && name.length >= LIKE_LENGTH_MINIMUM)
    .flatMap((name) => {
      const capitals = name.toUpperCase()
      const asLong = long.filter((one) => Math.abs(one.length - name.length) <= EDITS_MAXIMUM)
      const near = asLong.map((one) => ({ one, distance: distanceOf(capitals, one) })).toSorted((a, b) => a.distance - b.distance)[0]
      const like = near && near.distance <= EDITS_MAXIMUM ? near.one : undefined
      return like !== undefined || OUR_PREFIXES.test(capitals) ? [{ name, like }] : []
    })
}

/** The Levenshtein distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}
