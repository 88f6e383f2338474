import { CoachDetailsForm, CoachReviewForm } from '#app/parts/details/coach-details.form.tsx'
import { Reads } from '../../reads.tsx'
import { LONG_NAME, SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

const COACH = { ...SOMEBODY, userTypeCode: 'coach' as const }
const stay = () => undefined

export const states: States = {
  Default: () => (
    <Reads>
      <CoachDetailsForm profile={COACH} onSaved={stay} />
    </Reads>
  ),
  LongWords: () => (
    <Reads>
      <CoachReviewForm profile={{ ...COACH, userId: 'gallery-long', lastName: LONG_NAME }} onSaved={stay} />
    </Reads>
  ),
}
