import { DeviceUnreadable } from '#app/parts/assessment/device-unreadable.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => <DeviceUnreadable />,
}
