import { useTranslation } from '#app/i18n/use-translation.ts'
import type { Results } from '#contract/instances.ts'
import { MODE_KEYS, spotSentenceKey } from '#contract/rules/result-keys.ts'
import { STYLE_CHANGE_ERROR } from '#contract/rules/what-changed.ts'
import styles from './picture.module.css'
import { AXIS_MAXIMUM, MODE_DIRECTIONS, modeShape, PITCH, type Mode, type Point } from '#contract/rules/result-picture.ts'

type Section1 = Results['Section1']

/** The four ways of learning as a shape on a pitch. RESULTS-5 */
export function ModePitch({ section, earlier }: { section: Section1; earlier?: Section1 | undefined }) {
  const { t } = useTranslation(['assessment', 'results'])
  const listOf = ({ modes }: Section1) =>
    MODE_DIRECTIONS.map(({ mode }) => t('results:ResultsModeLine', { name: t(`results:${MODE_KEYS[mode]}`), sum: modes[mode] })).join(', ')
  const label = t('results:ResultsModesPicture', { list: listOf(section) })
  const before = earlier && t('results:ResultsModesPictureEarlier', { list: listOf(earlier) })
  return (
    <section aria-labelledby="modes" className={styles.column}>
      <h2 id="modes">{t('results:ResultsModesTitle')}</h2>
      <Pitch section={section} earlier={earlier} label={[label, before].filter(Boolean).join(' ')} />
      <p className={styles.caption}>
        {t('results:ResultsModesText')} {t(`results:${spotSentenceKey(section)}`)} {earlier && t('results:ResultsEarlierSpot')}
      </p>
    </section>
  )
}

const { halfWidth: HALF_WIDTH, halfHeight: HALF_HEIGHT } = PITCH
const GOAL_AREA = { depth: 18, half: 32 }
const CORNER = 10
const LABEL_GAP = 12
/** space above and below the pitch for labels that would overlap the type's name inside it */
const MARGIN = 32

function Pitch({ section, earlier, label }: { section: Section1; earlier: Section1 | undefined; label: string }) {
  const { corners, spot, quarters } = modeShape(section)
  return (
    <svg
      className={styles.pitch}
      viewBox={`${-HALF_WIDTH - 2} ${-HALF_HEIGHT - MARGIN} ${2 * HALF_WIDTH + 4} ${2 * (HALF_HEIGHT + MARGIN)}`}
      role="img"
      aria-label={label}
    >
      {/* a name alone does not keep Firefox from reading the labels, too */}
      <g aria-hidden="true">
        {quarters.map((quarter) => (
          <rect
            key={quarter.name}
            className={styles.quarter}
            x={quarter.x > 0 ? 0 : -HALF_WIDTH}
            y={quarter.y > 0 ? 0 : -HALF_HEIGHT}
            width={HALF_WIDTH}
            height={HALF_HEIGHT}
          />
        ))}
        <Chalk />
        <polygon className={styles.shape} points={corners.map(({ x, y }) => `${x},${y}`).join(' ')} />
        {corners.map((corner, index) => (
          <circle key={MODE_DIRECTIONS[index]?.mode} className={styles.corner} cx={corner.x} cy={corner.y} r="4" />
        ))}
        {MODE_DIRECTIONS.map(({ mode, x, y }) => (
          <ModeLabel
            key={mode}
            mode={mode}
            at={{ x: x * (HALF_WIDTH - LABEL_GAP), y: y * HALF_HEIGHT }}
            isBelow={y === 0 ? spot.y < 0 : y > 0}
            sum={section.modes[mode]}
          />
        ))}
        {quarters.map((quarter) => (
          <text
            key={quarter.name}
            className={styles.quarterName}
            x={quarter.x * (HALF_WIDTH - LABEL_GAP)}
            y={quarter.y > 0 ? HALF_HEIGHT - LABEL_GAP : -HALF_HEIGHT + 2 * LABEL_GAP}
            textAnchor={quarter.x > 0 ? 'end' : 'start'}
          >
            {quarter.name}
          </text>
        ))}
        {earlier && <EarlierSpot section={earlier} />}
        <circle className={styles.spot} cx={spot.x} cy={spot.y} r={PITCH.spot} />
      </g>
    </svg>
  )
}

/** Where an earlier result was, with the field within which nothing can be called a change. */
function EarlierSpot({ section }: { section: Section1 }) {
  const { x, y } = modeShape(section).spot
  const error = (STYLE_CHANGE_ERROR / AXIS_MAXIMUM) * PITCH.reach
  return (
    <g>
      <rect className={styles.earlierField} x={x - error} y={y - error} width={2 * error} height={2 * error} />
      <circle className={styles.earlierSpot} cx={x} cy={y} r={PITCH.spot} />
    </g>
  )
}

/** The lines of the pitch. The centre circle is where all four modes are equal. */
function Chalk() {
  return (
    <g className={styles.chalk}>
      <rect x={-HALF_WIDTH} y={-HALF_HEIGHT} width={2 * HALF_WIDTH} height={2 * HALF_HEIGHT} />
      <line x1="0" y1={-HALF_HEIGHT} x2="0" y2={HALF_HEIGHT} />
      <line className={styles.dashed} x1={-HALF_WIDTH} y1="0" x2={HALF_WIDTH} y2="0" />
      <circle r={PITCH.circle} />
      {[-1, 1].map((end) => (
        <g key={end} transform={`scale(${end} 1)`}>
          {[PITCH.area, GOAL_AREA].map(({ depth, half }) => (
            <path key={depth} d={`M${-HALF_WIDTH} ${-half}h${depth}v${2 * half}h${-depth}`} />
          ))}
          {[-1, 1].map((side) => (
            <path
              key={side}
              d={`M${-HALF_WIDTH} ${side * (HALF_HEIGHT - CORNER)}A${CORNER} ${CORNER} 0 0 ${side > 0 ? 1 : 0} ${-HALF_WIDTH + CORNER} ${side * HALF_HEIGHT}`}
            />
          ))}
        </g>
      ))}
    </g>
  )
}

/** Experience and idea: outside the pitch. Watch and do: on the side of the axis that the spot is not on. */
function ModeLabel({ mode, at, isBelow, sum }: { mode: Mode; at: Point; isBelow: boolean; sum: number }) {
  const { t } = useTranslation(['assessment', 'results'])
  const anchor = at.x === 0 ? 'middle' : at.x > 0 ? 'end' : 'start'
  const gap = at.y === 0 ? LABEL_GAP + PITCH.spot / 2 : LABEL_GAP
  const y = isBelow ? at.y + gap + LABEL_GAP - 2 : at.y - gap
  return (
    <text className={styles.modeLabel} x={at.x} y={y} textAnchor={anchor}>
      {t(`results:${MODE_KEYS[mode]}`)} <tspan className={styles.modeSum}>{sum}</tspan>
    </text>
  )
}
