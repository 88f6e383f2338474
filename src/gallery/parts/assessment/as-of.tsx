import { AsOf } from '#app/parts/assessment/as-of.tsx'
import type { States } from '../../states.ts'

export const states: States = { Default: () => <AsOf at={Date.UTC(2026, 0, 15, 12, 40)} isStored /> }
