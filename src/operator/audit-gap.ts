import type { AuditGap } from '#server/audit/restored-store.ts'

export function describeAuditGap({ entries, keptAs }: AuditGap): string {
  const what =
    entries === 'unknown'
      ? 'The restored audit log is not the one that was there before, or the heads of that one were changed.'
      : `The restored audit log lacks what was written after the backup (entries: ${entries}).`
  return keptAs === null ? what : `${what} What there was is kept as ${keptAs} beside the pictures.`
}
