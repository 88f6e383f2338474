import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import styles from './device.module.css'
import { Part } from '#app/ui/layout/part.tsx'
import { supportText } from './support-text.ts'
import type { DeviceFacts } from './use-device-facts.ts'

/** A text that helps support, without an answer, a name, an address or a token. DEVICE-4 */
export function Support({ facts }: { facts: DeviceFacts }) {
  const { t } = useTranslation('device')
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  const text = supportText(facts)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch (error) {
      console.warn('The text could not be copied', error)
      setOutcome('failed')
    }
  }
  return (
    <Part id="support" title={t('SupportTitle')}>
      <p>{t('SupportText')}</p>
      <textarea className={styles.text} readOnly rows={8} aria-labelledby="support" value={text} />
      <div>
        <Button onClick={() => void copy()}>{t('SupportCopy')}</Button>
      </div>
      <p role="status">{outcome && t(outcome === 'copied' ? 'SupportCopied' : 'SupportNotCopied')}</p>
    </Part>
  )
}
