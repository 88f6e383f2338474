import { FirstStartNote, Suggestion } from '#app/parts/install/install-note.tsx'
import type { States } from '../../states.ts'

export const states: States = {
  Default: () => <Suggestion method="offer" />,
  Many: () => <Suggestion method="firefox" />,
  Done: FirstStartNote,
}
