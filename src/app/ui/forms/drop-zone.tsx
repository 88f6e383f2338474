import { useEffect, useId, useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { Button } from './button.tsx'
import styles from './drop-zone.module.css'

interface DropZoneProps {
  /** on the button, which opens the device's file chooser */
  label: string
  /** above it, where there is a pointer to drag with */
  dropLabel: string
  hint: string
  /** words, not a key */
  error?: string | undefined
  /** while the last file is processed */
  isBusy?: boolean
  /** takes the focus as it appears */
  hasFocus?: boolean
  /** prefix of the accepted media types, such as `image/` */
  type: string
  onFile: (file: File) => void
  /** something else was dropped or chosen */
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
        look="primary"
        isBusy={isBusy}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- the focused button is removed
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
          // choosing the same file again must fire too
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

/** A file dropped beside the zone would replace the app. */
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
