import { CannotSend } from '#app/parts/assessment/cannot-send.tsx'
import { SOMEBODY } from '../../samples.ts'
import type { States } from '../../states.ts'

const INSTANCE = { userId: SOMEBODY.userId, instanceId: 'gallery' }
const SINCE = Date.UTC(2026, 0, 15, 12, 40)

export const states: States = {
  Default: () => <CannotSend instance={INSTANCE} since={SINCE} />,
  Error: () => <CannotSend instance={INSTANCE} since={SINCE} isOnPageOnly />,
}
