import { AssessmentName } from '#app/parts/assessment/assessment-name.tsx'
import { ASSESSMENT } from '../../samples.ts'
import type { States } from '../../states.ts'

export const states: States = { Default: () => <AssessmentName name={ASSESSMENT.name} /> }
