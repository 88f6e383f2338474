import { useTranslation } from '#app/i18n/use-translation.ts'
import { WrongRole, RoleGate } from '#app/parts/steps/role-gate.tsx'
import type { States } from '../../states.ts'
import { Revealed } from '../../revealed.tsx'

export const states: States = {
  Default: function Default() {
    const { t } = useTranslation('details')
    return (
      <RoleGate of="player">
        <p>{t('NoTeams')}</p>
      </RoleGate>
    )
  },
  Disabled: () => <Revealed>{() => <WrongRole of="coach" />}</Revealed>,
}
