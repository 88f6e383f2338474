import type { AuditGap } from '#server/audit/restored-store.ts'

export function describeAuditGap({ entries, keptAs }: AuditGap): string {
  const what =
    entries === 'unknown'
      ? 'The restored audit log is not the previous one, or the heads of the previous one were changed.'
      : `The restored audit log lacks what was written after the backup (entries: ${entries}).`
  return keptAs === null ? what : `${what} The previous heads are kept as ${keptAs} next to the pictures.`
}
