import { Theme } from '#app/ui/theme.tsx'
import type { States } from '../states.ts'

/** Text and what it stands on (ui/tokens.css). */
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
      {PAIRS.map(([text, ground]) => (
        <p key={`${text} ${ground}`} className="gallery-pair" style={{ color: `var(--${text})`, background: `var(--${ground})` }}>
          {text} / {ground}
        </p>
      ))}
    </Theme>
  ),
}
