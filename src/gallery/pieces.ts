import type { States } from './states.ts'

/** A component file of the app with the states it is shown in. */
export interface Piece {
  /** path in `src/app`, as `ui/forms/button.tsx` */
  file: string
  states: States
}

const files = import.meta.glob<{ states: States }>('./{ui,parts}/**/*.tsx', { eager: true })

/** In the order of their paths. */
export const pieces: readonly Piece[] = Object.entries(files).map(([file, { states }]) => ({ file: file.replace('./', ''), states }))
