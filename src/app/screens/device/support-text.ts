import { APP_VERSION } from '#contract/constants.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import type { DeviceFacts } from './use-device-facts.ts'

const instant = (at: number | null | undefined) => (at === null || at === undefined ? 'never' : new Date(at).toISOString())

/** In English whatever the language, as it is for support. Holds counts, states and error codes, nothing of a person. */
export function supportText({
  network,
  isReplaced,
  contact,
  troubleSince,
  troubleCause,
  isTooOld,
  statuses,
  waiting,
  shell,
  grant,
  hasUnwritten,
}: DeviceFacts): string {
  const lines = [
    `Touchline app version ${APP_VERSION}, ${currentLanguage()}, ${navigator.userAgent}`,
    `Now ${instant(Date.now())}, connection ${network}${isReplaced ? ' (something replies in its place)' : ''}, last contact ${instant(contact)}`,
    `Answers taken: ${network === 'offline' ? 'unknown' : troubleSince === undefined ? 'yes' : `not since ${instant(troubleSince)} (${troubleCause ?? '-'})`}; version too old: ${isTooOld}`,
    `Files of the app: ${shell && shell !== 'unseen' ? `${shell.stored} of ${shell.total}` : 'unknown'}; storage: ${grant ?? (grant === null ? 'unknown' : 'not asked')}, ${hasUnwritten ? 'cannot be written' : 'well'}`,
    `Waiting: ${waiting ? JSON.stringify(waiting) : 'unknown'}`,
    ...statuses.map(
      ({ instanceId, summary, answered, unsent, unwritten, unwrittenElsewhere, late, finish, trouble, savedAt, readiness }) =>
        `Assessment ${instanceId}: ${summary?.status ?? 'not stored'}, ${answered} answered, ${unsent} unsent, ` +
        `${unwritten} + ${unwrittenElsewhere} not stored, ${late} late, submit ${finish ?? 'not begun'}, refusal ${trouble?.code ?? 'none'}, ` +
        `acknowledged ${instant(savedAt)}, offline ${readiness?.state === 'lacking' ? `lacks ${readiness.lack}` : (readiness?.state ?? 'unknown')}`,
    ),
  ]
  return lines.join('\n')
}
