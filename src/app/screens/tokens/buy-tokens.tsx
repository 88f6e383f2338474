import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { useProfile } from '#app/parts/person/use-profile.ts'
import { paths } from '#app/paths.ts'
import { useLateNavigate } from '#app/ui/browser/use-late-navigate.ts'
import { canBuyTokens } from '#contract/rules/profile.ts'

/** A button to the purchase if the profile is complete enough, else to the profile review. HOME-15 */
export function BuyTokens({ isPrimary = false }: { isPrimary?: boolean }) {
  const { t } = useTranslation('tokens')
  const navigate = useLateNavigate()
  const profile = useProfile()

  async function buy(): Promise<void> {
    // a tap may come before the profile has loaded
    const known = profile.data ?? (await profile.refetch({ cancelRefetch: false })).data
    navigate(known && canBuyTokens(known) ? paths.purchaseToken() : paths.coachConfirmDetails())
  }
  return (
    <div>
      <OnlineOnlyButton variant={isPrimary ? 'primary' : 'plain'} onClick={() => void buy()}>
        {t('BuyMoreAssessmentTokens')}
      </OnlineOnlyButton>
    </div>
  )
}

/** Says why tokens are needed, with a button to buy more. */
export function TokensMissing({ why }: { why: string }) {
  return (
    <div className="notice notice-wait row">
      <p>{why}</p>
      <BuyTokens />
    </div>
  )
}
