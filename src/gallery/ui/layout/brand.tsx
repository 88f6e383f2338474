import { BrandMark } from '#app/ui/layout/brand.tsx'
import type { States } from '../../states.ts'

export const states: States = { Default: () => <BrandMark size={72} /> }
