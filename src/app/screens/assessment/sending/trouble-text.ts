import type { Translation } from '#app/i18n/use-translation.ts'

/** Why answers were not sent: the text of the error code, or that the reason is unknown. ANSWERS-3 */
export function troubleText(t: Translation['t'], code: string | undefined): string {
  return t([`errors:${code ?? ''}`, 'assessment:TestTroubleUnknown'])
}
