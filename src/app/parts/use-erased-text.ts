import { useTranslation } from '#app/i18n/use-translation.ts'
import { useErasedUnsent } from '#app/session/use-left-accounts.ts'

/** Says once that an account that was signed in here was erased, and what was removed with it; undefined if none was. SESSION-22 */
export function useErasedText(): string | undefined {
  const { t } = useTranslation('shell')
  const unsent = useErasedUnsent()
  if (unsent === undefined) return undefined
  return unsent > 0 ? t('AccountErasedUnsent', { count: unsent }) : t('AccountErased')
}
