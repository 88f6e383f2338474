import { useEffect, useId, useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { Button } from './button.tsx'
import styles from './drop-zone.module.css'

interface DropZoneProps {
  /** label of the button, which opens the file chooser */
  label: string
  /** text above the button; not on touch screens, where nobody drags files */
  dropLabel: string
  hint: string
  /** the text, not a translation key */
  error?: string | undefined
  /** while the last file is processed */
  isBusy?: boolean
  /** the button takes the focus on mount */
  hasFocus?: boolean
  /** prefix of the accepted media types, such as `image/` */
  type: string
  onFile: (file: File) => void
  /** a file of another type was dropped or chosen */
  onRefused: () => void
}

/** Takes one file, dropped or chosen. PROFILE-34 */
export function DropZone({ label, dropLabel, hint, error, isBusy = false, hasFocus = false, type, onFile, onRefused }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const hintId = useId()
  const errorId = useId()
  usePreventStrayDrops()

  function take(files: FileList | null): void {
    const given = [...(files ?? [])]
    const file = given.find((one) => one.type.startsWith(type))
    if (file) onFile(file)
    else if (given.length > 0) onRefused()
  }

  function over(event: DragEvent): void {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setIsOver(true)
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    setIsOver(false)
    if (!isBusy) take(event.dataTransfer.files)
  }

  return (
    <div
      className={`${styles.zone} ${isOver ? styles.over : ''}`}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <p className={styles.drop}>{dropLabel}</p>
      <Button
        variant="primary"
        isBusy={isBusy}
        // the button that had the focus is removed
        autoFocus={hasFocus}
        aria-describedby={[hintId, error && errorId].filter(Boolean).join(' ')}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        accept={`${type}*`}
        hidden
        onChange={({ target }) => {
          take(target.files)
          // otherwise choosing the same file again would fire no event
          target.value = ''
        }}
      />
      <p id={hintId} className="soft small">
        {hint}
      </p>
      {error && (
        <p id={errorId} role="alert" className="field-error">
          {error}
        </p>
      )}
    </div>
  )
}

/** Otherwise the browser would open a file dropped beside the zone, in place of the app. */
function usePreventStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const types = ['dragover', 'drop'] as const
    for (const type of types) addEventListener(type, refuse)
    return () => types.forEach((type) => removeEventListener(type, refuse))
  }, [])
}
