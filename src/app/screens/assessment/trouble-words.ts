import type { TFunction } from 'i18next'

/** Why answers were not sent: the refusal's own words, else that it is not known. Ruling 12 */
export function troubleWords(t: TFunction<['assessment', 'errors']>, code: string | undefined): string {
  return t([`errors:${code ?? ''}`, 'assessment:TestTroubleUnknown'])
}
