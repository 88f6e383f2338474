import { useState } from 'react'
import type { ReactNode } from 'react'
import type { FileOutcome } from '#app/device/answers-file.ts'
import { loadAnswersFile } from '#app/device/lazy.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { currentLanguage } from '#app/i18n/current-language.ts'
import { loadIfPossible } from '#app/i18n/i18n.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'

type Outcome = FileOutcome | { kind: 'failed' }

/** Saves the answers on this device to a file, and says what became of it. ANSWERS-27 */
export function SaveAnswersFile({ instance: { userId, instanceId }, children }: { instance: InstanceKey; children: ReactNode }) {
  const { i18n } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()

  async function save(): Promise<void> {
    setIsBusy(true)
    setOutcome(undefined)
    const made = await makeFile({ userId, instanceId })
    // loaded when needed: every screen that offers a file would carry these words
    await loadIfPossible(currentLanguage(), 'answers-file')
    setOutcome(made)
    setIsBusy(false)
  }

  const text = outcome && textOf(outcome, i18n)
  const isDone = outcome !== undefined && 'name' in outcome
  return (
    <div>
      <Button isBusy={isBusy} onClick={() => void save()}>
        {children}
      </Button>
      {text !== undefined && !isDone && <p role="alert">{text}</p>}
      <p role="status">{isDone && text}</p>
    </div>
  )
}

async function makeFile(key: InstanceKey): Promise<Outcome> {
  try {
    return await (await loadAnswersFile()).saveAnswersFile(key)
  } catch (error) {
    console.error('The file of answers could not be made', error)
    return { kind: 'failed' }
  }
}

const WORDS = {
  downloaded: 'answers-file:FileDownloaded',
  shared: 'answers-file:FileShared',
  cancelled: 'answers-file:FileCancelled',
  nothing: 'answers-file:FileNothing',
  'no-key': 'answers-file:FileNeedsKey',
  'not-taken': 'answers-file:FileNotTaken',
  failed: 'answers-file:FileFailed',
} as const

function textOf(outcome: Outcome, i18n: ReturnType<typeof useTranslation>['i18n']): string {
  const key = WORDS[outcome.kind]
  if (i18n.exists(key)) return i18n.t(key, 'name' in outcome ? { name: outcome.name } : {})
  // its words have not come: that there is a file, its name says
  return 'name' in outcome ? outcome.name : i18n.t('ui:UnexpectedError')
}
