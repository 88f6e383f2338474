import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { OtpSlots } from '#app/parts/steps/otp-slots.tsx'
import type { States } from '../../states.ts'
import { Revealed } from '../../revealed.tsx'

function Code({ start = '', isVerifying = false, isRefused = false }) {
  const { t } = useTranslation('gallery')
  const [code, setCode] = useState(start)
  return (
    <OtpSlots
      label={t('Code')}
      hint={t('CodeHint')}
      error={isRefused ? t('errors:INVALID_CODE') : undefined}
      value={code}
      isVerifying={isVerifying}
      onChange={setCode}
    />
  )
}

export const states: States = {
  Default: () => <Revealed>{() => <Code />}</Revealed>,
  Busy: () => <Revealed>{() => <Code start="12345678" isVerifying />}</Revealed>,
  Error: () => <Revealed>{() => <Code start="12345678" isRefused />}</Revealed>,
}
