import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { messageFor } from '#app/api/message-for.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { PlainTextField } from '#app/ui/forms/plain-text-field.tsx'
import { hitsForOperator } from '#contract/hits.operator.ts'
import { operatorCallWith } from './operator-call.ts'

/** Why somebody who was signed in is here again; `refused`: the server no longer accepted the key. */
export type LeaveReason = 'signed-out' | 'refused'

interface Props {
  left: LeaveReason | undefined
  onKey: (key: string) => void
}

/** The operator's sign-in: the key of the settings, which is tried by a first call. */
export function KeyEntry({ left, onKey }: Props) {
  const { t } = useTranslation('operator')
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [isTrying, setIsTrying] = useState(false)
  const [failure, setFailure] = useState(left === 'refused' ? t('KeyRefused') : undefined)

  async function tryKey(): Promise<void> {
    const key = typed.trim()
    // a text that cannot be sent as a header is not a key
    if (!/^[\w.~+/=-]+$/.test(key)) return fail(t(key === '' ? 'KeyMissing' : 'KeyWrong'))
    setIsTrying(true)
    setFailure(undefined)
    let isRefused = false
    try {
      await operatorCallWith(key, () => (isRefused = true))(hitsForOperator.list)
      onKey(key)
    } catch (error) {
      setIsTrying(false)
      fail(isRefused ? t('KeyWrong') : messageFor(error))
    }
  }

  function fail(text: string): void {
    setFailure(text)
    field.current?.focus()
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!isTrying) void tryKey()
  }

  return (
    <form className="stack" noValidate onSubmit={submit}>
      <PlainTextField
        ref={field}
        label={t('Key')}
        hint={t('KeyHint')}
        error={failure}
        isMandatory
        type="password"
        autoComplete="off"
        autoFocus={left !== undefined}
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <div>
        <OnlineOnlyButton type="submit" variant="primary" isBusy={isTrying}>
          {t('KeySubmit')}
        </OnlineOnlyButton>
      </div>
    </form>
  )
}
