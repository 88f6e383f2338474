import { StepLine } from '#app/parts/steps/step-line.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => <StepLine way="bought" step="StepPayment" />,
  Done: () => <StepLine way="given" step="StepStart" />,
}
