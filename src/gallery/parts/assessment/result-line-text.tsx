import { ResultLineText } from '#app/parts/assessment/result-line-text.tsx'
import type { States } from '../../states.ts'

const play = { value: 'play', result: 'Free Play' }
const view = { value: 'view', result: 'Wide View' }
const axes = [
  { axis: 'EI', first: 'E', second: 'I', letter: 'E' },
  { axis: 'TF', first: 'T', second: 'F', letter: null },
]

export const states: States = {
  Default: () => <ResultLineText results={{ Section1: play, section2: { value: 'ENFP', label: 'ENFP' } }} noClearStyle="-" />,
  Many: () => (
    <ResultLineText
      results={{ Section1: { ...play, styles: [play, view] }, section2: { value: 'ET', label: 'ET', axes } }}
      noClearStyle="-"
    />
  ),
}
