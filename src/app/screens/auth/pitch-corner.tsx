import styles from './onboard.module.css'

/** Half a pitch seen from the bench: touchlines, boxes, arcs, and the one who stands outside of them. */
export function PitchCorner() {
  return (
    <svg aria-hidden="true" viewBox="0 0 480 640" preserveAspectRatio="xMinYMax slice" className={styles.pitch}>
      <g className={styles.mown}>
        {[0, 2, 4, 6].map((band) => (
          <rect key={band} x="0" y={band * 80} width="480" height="80" />
        ))}
      </g>
      <g className={styles.chalk}>
        <path d="M64 -10V590H490" />
        <path d="M64 556a34 34 0 0 1 34 34" />
        <path d="M176 590V452H490" />
        <path d="M258 590V532H490" />
        <path d="M300 452a96 96 0 0 1 160 0" />
        <path d="M64 176H490" />
        <circle cx="380" cy="176" r="104" />
      </g>
      <g className={styles.marks}>
        <circle cx="380" cy="176" r="6" />
        <circle cx="380" cy="500" r="6" />
        <circle cx="32" cy="330" r="12" />
      </g>
      <path className={styles.run} d="M54 330C128 330 136 250 190 258S254 356 264 424" />
      <path className={styles.head} d="m247 412 18 14 12-20" />
    </svg>
  )
}
