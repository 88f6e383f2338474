import { PageSkeleton, Skeleton } from '#app/ui/layout/skeletons.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => <Skeleton />,
  Many: () => <PageSkeleton />,
}
