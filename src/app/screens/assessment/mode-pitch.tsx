import { useTranslation } from 'react-i18next'
import type { Results } from '#contract/instances.ts'
import { MODE_DIRECTIONS, MODE_EVEN, MODE_MAXIMUM, MODE_MINIMUM, modeShape, type Mode, type Point } from './result-picture.ts'
import styles from './results.module.css'

/** The four ways of learning as a shape on a pitch, and the same in a table. conventions §2.4 */
export function ModePitch({ section }: { section: Results['Section1'] }) {
  const { t } = useTranslation('assessment')
  const lines = MODE_DIRECTIONS.map(({ mode }) => t('ResultsModeLine', { name: t(MODES[mode]), sum: section.modes[mode] }))
  return (
    <section aria-labelledby="modes" className={styles.section}>
      <h2 id="modes">{t('ResultsModesTitle')}</h2>
      <p>{t('ResultsModesText')}</p>
      <div className={styles.modes}>
        <Pitch section={section} label={t('ResultsModesPicture', { list: lines.join(', ') })} />
        <table className={styles.table}>
          <caption>{t('ResultsModesTable')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('ResultsColumnMode')}</th>
              <th scope="col">{t('ResultsColumnSum')}</th>
            </tr>
          </thead>
          <tbody>
            {MODE_DIRECTIONS.map(({ mode }) => (
              <tr key={mode}>
                <th scope="row">{t(MODES[mode])}</th>
                <td>{section.modes[mode]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {section.closeCalls.length > 0 && <p className={styles.note}>{t('ResultsModesCloseCall')}</p>}
    </section>
  )
}

// The drawing's own units: half the pitch, and how far an axis reaches into it.
const HALF_WIDTH = 170
const HALF_HEIGHT = 130
const REACH = 104
const AREA = { depth: 40, half: 62 }
const LABEL_GAP = 10

function Pitch({ section, label }: { section: Results['Section1']; label: string }) {
  const { corners, spot, quarter } = modeShape(section, REACH)
  const circle = (REACH * (MODE_EVEN - MODE_MINIMUM)) / (MODE_MAXIMUM - MODE_MINIMUM)
  return (
    <svg
      className={styles.pitch}
      viewBox={`${-HALF_WIDTH - 6} ${-HALF_HEIGHT - 6} ${2 * HALF_WIDTH + 12} ${2 * HALF_HEIGHT + 12}`}
      role="img"
      aria-label={label}
    >
      <rect className={styles.grass} x={-HALF_WIDTH} y={-HALF_HEIGHT} width={2 * HALF_WIDTH} height={2 * HALF_HEIGHT} rx="3" />
      {quarter && (
        <rect
          className={styles.quarter}
          x={quarter.x > 0 ? 0 : -HALF_WIDTH}
          y={quarter.y > 0 ? 0 : -HALF_HEIGHT}
          width={HALF_WIDTH}
          height={HALF_HEIGHT}
        />
      )}
      <g className={styles.chalk}>
        <rect x={-HALF_WIDTH} y={-HALF_HEIGHT} width={2 * HALF_WIDTH} height={2 * HALF_HEIGHT} rx="3" />
        <rect x={-HALF_WIDTH} y={-AREA.half} width={AREA.depth} height={2 * AREA.half} />
        <rect x={HALF_WIDTH - AREA.depth} y={-AREA.half} width={AREA.depth} height={2 * AREA.half} />
        <line x1="0" y1={-HALF_HEIGHT} x2="0" y2={HALF_HEIGHT} />
        <line className={styles.dashed} x1={-HALF_WIDTH} y1="0" x2={HALF_WIDTH} y2="0" />
        <circle r={circle} />
      </g>
      <polygon className={styles.shape} points={corners.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {corners.map((corner, index) => (
        <circle key={MODE_DIRECTIONS[index]?.mode} className={styles.corner} cx={corner.x} cy={corner.y} r="4" />
      ))}
      <circle className={styles.spot} cx={spot.x} cy={spot.y} r="7" />
      {MODE_DIRECTIONS.map(({ mode, x, y }) => (
        <ModeLabel
          key={mode}
          mode={mode}
          at={{ x: x * (HALF_WIDTH - LABEL_GAP), y: y * (HALF_HEIGHT - LABEL_GAP) }}
          sum={section.modes[mode]}
        />
      ))}
    </svg>
  )
}

/** On the wings beside the line, at the ends inside the goal areas. */
function ModeLabel({ mode, at, sum }: { mode: Mode; at: Point; sum: number }) {
  const { t } = useTranslation('assessment')
  const anchor = at.x === 0 ? 'start' : at.x > 0 ? 'end' : 'start'
  const dx = at.x === 0 ? LABEL_GAP : 0
  const dy = at.y === 0 ? -LABEL_GAP : at.y > 0 ? 0 : LABEL_GAP
  return (
    <text className={styles.modeLabel} x={at.x + dx} y={at.y + dy} textAnchor={anchor}>
      {t(MODES[mode])} <tspan className={styles.modeSum}>{sum}</tspan>
    </text>
  )
}

const MODES = {
  experience: 'ResultsModeExperience',
  watch: 'ResultsModeWatch',
  idea: 'ResultsModeIdea',
  do: 'ResultsModeDo',
} as const satisfies Record<Mode, string>
