import { useId, useState, type KeyboardEvent } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { MinusIcon, PlusIcon } from '#app/ui/layout/icons.tsx'
import { TOKEN_COUNT_MAXIMUM, TOKEN_COUNT_MINIMUM } from '#contract/constants.ts'
import { clampCount, plainDigits } from './player-count.ts'
import styles from './purchase-token.module.css'

interface Props {
  count: number
  /** called with counts within the bounds only */
  onCount: (count: number) => void
}

// the keys of a spin button; not Home and End, which move the cursor
const STEPS: Partial<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }

/** The number of players: digits only, 1 to 100, clamped on blur. TOKENS-3 */
export function PlayerCountStepper({ count, onCount }: Props) {
  const { t } = useTranslation('checkout')
  const id = useId()
  // the text being typed, which may be out of bounds
  const [typed, setTyped] = useState<string>()
  const [isRefused, setIsRefused] = useState(false)

  const discardTyped = () => {
    setTyped(undefined)
    setIsRefused(false)
  }
  const step = (by: number) => {
    discardTyped()
    onCount(clampCount(count + by))
  }
  const type = (text: string) => {
    const digits = plainDigits(text)
    setIsRefused(digits === undefined)
    if (digits === undefined) return
    setTyped(digits)
    onCount(clampCount(Number(digits)))
  }
  const onKey = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    step(by)
  }

  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {t('PlayerCount')}
      </label>
      <span id={`${id}hint`} className="field-hint">
        {t('PlayerCountHint', { minimum: TOKEN_COUNT_MINIMUM, maximum: TOKEN_COUNT_MAXIMUM })}
      </span>
      <div className={styles.stepper}>
        <Button
          aria-label={t('OneLess')}
          unavailable={count <= TOKEN_COUNT_MINIMUM ? t('PlayerCountMinimum', { minimum: TOKEN_COUNT_MINIMUM }) : undefined}
          isReasonShown={false}
          onClick={() => step(-1)}
        >
          <MinusIcon />
        </Button>
        <input
          id={id}
          className={`input ${styles.count}`}
          role="spinbutton"
          inputMode="numeric"
          autoComplete="off"
          aria-describedby={isRefused ? `${id}hint ${id}refused` : `${id}hint`}
          aria-invalid={isRefused || undefined}
          aria-valuemin={TOKEN_COUNT_MINIMUM}
          aria-valuemax={TOKEN_COUNT_MAXIMUM}
          aria-valuenow={count}
          value={typed ?? String(count)}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKey}
          onBlur={discardTyped}
        />
        <Button
          aria-label={t('OneMore')}
          unavailable={count >= TOKEN_COUNT_MAXIMUM ? t('PlayerCountMaximum', { maximum: TOKEN_COUNT_MAXIMUM }) : undefined}
          isReasonShown={false}
          onClick={() => step(1)}
        >
          <PlusIcon />
        </Button>
      </div>
      {isRefused && (
        <span id={`${id}refused`} className="field-error" role="alert">
          {t('PlayerCountDigits')}
        </span>
      )}
    </div>
  )
}
