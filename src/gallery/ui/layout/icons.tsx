import * as icons from '#app/ui/layout/icons.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => Object.entries(icons).map(([name, Icon]) => <Icon key={name} />),
}
