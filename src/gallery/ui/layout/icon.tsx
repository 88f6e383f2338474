import { Icon } from '#app/ui/layout/icon.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => (
    <Icon>
      <circle cx="12" cy="12" r="9" />
    </Icon>
  ),
}
