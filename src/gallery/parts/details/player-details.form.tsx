import { PlayerDetailsForm } from '#app/parts/details/player-details.form.tsx'
import { Reads } from '../../reads.tsx'
import { SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

const EMPTY = { ...SOMEBODY, userId: 'gallery-empty', firstName: null, lastName: null, countryId: null, cityId: null, gender: null }

export const states: States = {
  Default: () => (
    <Reads>
      <PlayerDetailsForm profile={SOMEBODY} onSaved={() => undefined} />
    </Reads>
  ),
  Empty: () => (
    <Reads>
      <PlayerDetailsForm profile={{ ...EMPTY, birthDate: null, preferredPosition: null }} onSaved={() => undefined} />
    </Reads>
  ),
}
