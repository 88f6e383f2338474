import { DashboardLink } from '#app/parts/dashboard-link.tsx'
import type { States } from '../states.ts'

export const states: States = {
  Default: () => <DashboardLink />,
  Primary: () => <DashboardLink variant="primary" />,
  Quiet: () => <DashboardLink variant="quiet" />,
}
