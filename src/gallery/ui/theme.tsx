import { Theme } from '#app/ui/theme.tsx'
import type { States } from '../states.ts'

/** Text colours with their backgrounds (ui/tokens.css). */
const PAIRS = [
  ['ink', 'ground'],
  ['ink', 'surface'],
  ['ink-soft', 'surface'],
  ['on-action', 'action'],
  ['ink', 'action-soft'],
  ['wait', 'wait-soft'],
  ['calm', 'calm-soft'],
  ['on-refused', 'refused'],
  ['refused', 'refused-soft'],
  ['chalk', 'pitch'],
  ['chalk-soft', 'pitch-mown'],
  ['chalk-wait', 'pitch'],
] as const

export const states: States = {
  Default: () => (
    <Theme>
      {PAIRS.map(([text, background]) => (
        <p key={`${text} ${background}`} className="gallery-pair" style={{ color: `var(--${text})`, background: `var(--${background})` }}>
          {text} / {background}
        </p>
      ))}
    </Theme>
  ),
}
