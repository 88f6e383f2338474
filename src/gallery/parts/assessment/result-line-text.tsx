import { ResultLineText } from '#app/parts/assessment/result-line-text.tsx'
import type { States } from '../../states.ts'

const play = { value: 'play', result: 'Free Play' }
const view = { value: 'view', result: 'Wide View' }
const outward = { axis: 'EI', first: 'E', second: 'I', letter: 'E' }
const feeling = { axis: 'TF', first: 'T', second: 'F', letter: 'F' }

export const states: States = {
  Default: () => (
    <ResultLineText
      results={{ Section1: { ...play, styles: [play] }, section2: { value: 'EF', label: 'EF', axes: [outward, feeling] } }}
      noClearStyle="-"
    />
  ),
  Many: () => (
    <ResultLineText
      results={{
        Section1: { ...play, styles: [play, view] },
        section2: { value: 'ET', label: 'ET', axes: [outward, { ...feeling, letter: null }] },
      }}
      noClearStyle="-"
    />
  ),
}
