import { HowToInstall } from '#app/parts/install/how-to-install.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => <HowToInstall way="offer" />,
  Many: () => <HowToInstall way="firefox" />,
  Done: () => <HowToInstall way="installed" />,
  Empty: () => <HowToInstall way="none" />,
}
