import type { States } from './states.ts'

export interface Piece {
  /** from `src/app`, as `ui/forms/button.tsx` */
  file: string
  states: States
}

const files = import.meta.glob<{ states: States }>('./{ui,parts}/**/*.tsx', { eager: true })

/** In the order of their files. */
export const pieces: readonly Piece[] = Object.entries(files).map(([file, { states }]) => ({ file: file.replace('./', ''), states }))
