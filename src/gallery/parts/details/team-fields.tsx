import { useTranslation } from '#app/i18n/use-translation.ts'
import { emptyTeam } from '#app/parts/details/player-details.ts'
import { TeamFields } from '#app/parts/details/team-fields.tsx'
import { Form } from '../../form.tsx'
import { LONG_NAME } from '../../samples.ts'
import type { States } from '../../states.ts'

function Teams({ teams }: { teams: (typeof emptyTeam)[] }) {
  const { t } = useTranslation('details')
  return (
    <Form values={{ teams }}>
      <TeamFields title={t('TeamsPlayed')} />
    </Form>
  )
}

export const states: States = {
  Default: () => <Teams teams={[emptyTeam]} />,
  Empty: () => <Teams teams={[]} />,
  LongWords: () => <Teams teams={[{ ...emptyTeam, clubName: LONG_NAME, teamName: LONG_NAME, ageGroup: LONG_NAME }]} />,
}
