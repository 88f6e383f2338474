import { useState } from 'react'
import type { ReactNode } from 'react'
import { loadAnswersFile } from '#app/device/lazy.ts'
import type { InstanceKey } from '#app/device/store/stored.ts'
import { i18n } from '#app/i18n/i18n.ts'
import { Button } from '#app/ui/forms/button.tsx'

/** Saves the answers on this device to a file, and says so where it cannot be made. ANSWERS-27 */
export function SaveAnswersFile({ instance: { userId, instanceId }, children }: { instance: InstanceKey; children: ReactNode }) {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function save(): Promise<void> {
    setIsBusy(true)
    setProblem(undefined)
    try {
      const { saveAnswersFile } = await loadAnswersFile()
      const outcome = await saveAnswersFile({ userId, instanceId })
      if (outcome === 'no-key') setProblem(await words('FileNeedsKey'))
      if (outcome === 'nothing') setProblem(await words('FileNothing'))
    } catch (error) {
      console.error('The file of answers could not be made', error)
      setProblem(await words('FileFailed'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <div>
      <Button isBusy={isBusy} onClick={() => void save()}>
        {children}
      </Button>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </div>
  )
}

/** Loaded when needed: every screen that offers a file would carry these words. */
async function words(key: string): Promise<string> {
  await i18n.loadNamespaces('answers-file').catch(() => undefined)
  return i18n.exists(`answers-file:${key}`) ? i18n.t(`answers-file:${key}`) : i18n.t('ui:UnexpectedError')
}
