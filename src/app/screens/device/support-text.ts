import { APP_VERSION } from '#contract/constants.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import type { DeviceStatus } from '#app/device/status.ts'
import type { DeviceFacts } from './use-device-facts.ts'

const instant = (at: number | null | undefined) => (at === null || at === undefined ? 'never' : new Date(at).toISOString())

/** In English whatever the language, as it is for support. Holds counts, states and error codes, nothing of a person. */
export function supportText(facts: DeviceFacts): string {
  const { network, isReplaced, contact, isTooOld, statuses, waiting, shell, grant, hasUnwritten } = facts
  const lines = [
    `Touchline app version ${APP_VERSION}, ${currentLanguage()}, ${navigator.userAgent}`,
    `Now ${instant(Date.now())}, connection ${network}${isReplaced ? ' (something replies in its place)' : ''}, last contact ${instant(contact)}`,
    `Answers taken: ${answersTaken(facts)}; version too old: ${isTooOld}`,
    `Files of the app: ${filesOfApp(shell)}; storage: ${storageGrant(grant)}, ${hasUnwritten ? 'cannot be written' : 'well'}`,
    `Waiting: ${waiting ? JSON.stringify(waiting) : 'unknown'}`,
    ...statuses.map(
      ({ instanceId, summary, answered, unsent, unwritten, unwrittenElsewhere, late, finish, trouble, savedAt, readiness }) =>
        `Assessment ${instanceId}: ${summary?.status ?? 'not stored'}, ${answered} answered, ${unsent} unsent, ` +
        `${unwritten} + ${unwrittenElsewhere} not stored, ${late} late, submit ${finish ?? 'not begun'}, refusal ${trouble?.code ?? 'none'}, ` +
        `acknowledged ${instant(savedAt)}, offline ${offlineState(readiness)}`,
    ),
  ]
  return lines.join('\n')
}

function answersTaken({ network, troubleSince, troubleCause }: DeviceFacts): string {
  if (network === 'offline') return 'unknown'
  if (troubleSince === undefined) return 'yes'
  return `not since ${instant(troubleSince)} (${troubleCause ?? '-'})`
}

function filesOfApp(shell: DeviceFacts['shell']): string {
  return shell && shell !== 'unseen' ? `${shell.stored} of ${shell.total}` : 'unknown'
}

function storageGrant(grant: DeviceFacts['grant']): string {
  if (grant === undefined) return 'not asked'
  return grant ?? 'unknown'
}

function offlineState(readiness: DeviceStatus['readiness']): string {
  if (readiness === undefined) return 'unknown'
  return readiness.state === 'lacking' ? `lacks ${readiness.lack}` : readiness.state
}
