import { SendFirst } from '#app/parts/install/send-first.tsx'
import type { States } from '../../states.ts'

export const states: States = { Default: () => <SendFirst waiting={3} onTried={async () => undefined} /> }
