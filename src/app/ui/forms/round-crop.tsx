import { useId, useRef, useState } from 'react'
import type { RefObject } from 'react'
import Cropper from 'react-easy-crop'
import type { Area, Point } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import styles from './round-crop.module.css'

/** The part of the picture inside the circle, in percent of its width and height. */
type CropArea = Area

interface RoundCropProps {
  image: string
  zoom: number
  zoomMinimum: number
  zoomMaximum: number
  aspect: number
  /** accessible name of the crop area; says what the arrow keys do */
  label: string
  /** shown beside the four arrow buttons */
  moveLabel: string
  /** labels of the arrow buttons, with which nobody has to drag (WCAG 2.5.7) */
  moveLabels: Record<Direction, string>
  zoomLabel: string
  zoomText: (zoom: number) => string
  isFrozen: boolean
  onZoom: (zoom: number) => void
  /** called at the start and on every move */
  onArea: (area: CropArea) => void
}

const directions = ['ArrowLeft', 'ArrowUp', 'ArrowDown', 'ArrowRight'] as const
type Direction = (typeof directions)[number]

const KEY_STEP_PX = 10
const ZOOM_STEP = 0.1

/** A round 1:1 crop: drag, pinch, wheel, arrow keys or taps move it, a slider zooms. PROFILE-34 */
export function RoundCrop(props: RoundCropProps) {
  const { image, zoom, zoomMinimum, zoomMaximum, aspect, label, moveLabel, moveLabels, zoomLabel, zoomText, isFrozen } = props
  const [crop, setCrop] = useState<Point>({ x: 0, y: 0 })
  const circle = useRef<RefObject<HTMLDivElement | null>>(null)

  const isPlaced = useRef(false)
  const moveId = useId()

  function reportArea(area: CropArea): void {
    props.onArea(area)
    // the circle is drawn by the time of the first call; the element that had the focus before is removed
    if (!isPlaced.current) circle.current?.current?.focus({ preventScroll: true })
    isPlaced.current = true
  }

  return (
    <div className={styles.crop} inert={isFrozen}>
      <div className={styles.stage}>
        <Cropper
          image={image}
          crop={crop}
          zoom={zoom}
          minZoom={zoomMinimum}
          maxZoom={zoomMaximum}
          aspect={aspect}
          cropShape="round"
          objectFit="cover"
          showGrid={false}
          keyboardStep={KEY_STEP_PX}
          // the CSP forbids style tags: the CSS is imported as a file
          disableAutomaticStylesInjection
          classes={{ cropAreaClassName: styles.circle ?? '' }}
          // 'application': it handles the arrow keys itself
          cropperProps={{ role: 'application', 'aria-label': label }}
          setCropperRef={(ref) => {
            circle.current = ref
          }}
          onCropChange={setCrop}
          onZoomChange={props.onZoom}
          onCropAreaChange={reportArea}
        />
      </div>
      <div className={styles.controls}>
        <label className={styles.zoom}>
          <span className="field-label">{zoomLabel}</span>
          <input
            type="range"
            min={zoomMinimum}
            max={zoomMaximum}
            step={ZOOM_STEP}
            value={zoom}
            aria-valuetext={zoomText(zoom)}
            onChange={({ target }) => props.onZoom(Number(target.value))}
          />
        </label>
        <div role="group" aria-labelledby={moveId} className={styles.moves}>
          <span id={moveId} className="field-label">
            {moveLabel}
          </span>
          {directions.map((direction) => (
            <button
              key={direction}
              type="button"
              className="icon-button"
              aria-label={moveLabels[direction]}
              title={moveLabels[direction]}
              onClick={() => press(circle.current?.current, direction)}
            >
              <svg aria-hidden="true" width="24" height="24" viewBox="0 0 24 24" className={styles[direction]}>
                <path
                  d="M19 12H5m6-6-6 6 6 6"
                  fill="none"
                  stroke="currentColor"
                  strokeWidth="2"
                  strokeLinecap="round"
                  strokeLinejoin="round"
                />
              </svg>
            </button>
          ))}
        </div>
      </div>
    </div>
  )
}

/** Moves the picture by a simulated arrow key, so that the library limits the move. */
function press(circle: HTMLElement | null | undefined, key: Direction): void {
  for (const type of ['keydown', 'keyup']) circle?.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true }))
}
