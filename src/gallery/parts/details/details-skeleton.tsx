import { DetailsSkeleton } from '#app/parts/details/details-skeleton.tsx'
import type { States } from '../../states.ts'

export const states: States = { Default: () => <DetailsSkeleton /> }
