import { PortalLink } from '#app/parts/portal-link.tsx'
import type { States } from '../states.ts'

export const states: States = {
  Default: () => <PortalLink />,
}
