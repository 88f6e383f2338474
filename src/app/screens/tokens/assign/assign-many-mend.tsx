import { useState, type FormEvent } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/button.tsx'

interface Props {
  text: string
  /** '' takes the line out */
  onMend: (text: string) => void
}

/** A line that cannot be sent, mended where it stands. */
export function AssignManyMend({ text, onMend }: Props) {
  const { t } = useTranslation('home')
  const [written, setWritten] = useState<string>()
  if (written === undefined) {
    return (
      <Button look="quiet" aria-label={t('AssignManyMendOf', { email: text })} onClick={() => setWritten(text)}>
        {t('AssignManyMend')}
      </Button>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onMend(written)
  }
  return (
    <form className="token-mend" noValidate onSubmit={submit}>
      <input
        className="input"
        aria-label={t('AssignManyMendOf', { email: text })}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was tapped
        autoFocus
        inputMode="email"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={written}
        onChange={({ target }) => setWritten(target.value)}
      />
      <Button type="submit">{t('AssignManyMendDone')}</Button>
      <Button look="quiet" aria-label={t('AssignManyRemoveOf', { email: text })} onClick={() => onMend('')}>
        {t('AssignManyRemove')}
      </Button>
    </form>
  )
}
