import { HowToInstall } from '#app/parts/install/how-to-install.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => <HowToInstall method="offer" />,
  Many: () => <HowToInstall method="firefox" />,
  Done: () => <HowToInstall method="installed" />,
  Empty: () => <HowToInstall method="none" />,
}
