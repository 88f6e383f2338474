import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { DropZone } from '#app/ui/forms/drop-zone.tsx'
import type { States } from '../../states.ts'

function Photo({ isBusy = false, isRefused = false }) {
  const { t } = useTranslation('gallery')
  const [error, setError] = useState(isRefused)
  return (
    <DropZone
      label={t('Choose')}
      dropLabel={t('DropHere')}
      hint={t('PictureHint')}
      error={error ? t('NoPicture') : undefined}
      isBusy={isBusy}
      type="image/"
      onFile={() => setError(false)}
      onRefused={() => setError(true)}
    />
  )
}

export const states: States = {
  Default: () => <Photo />,
  Busy: () => <Photo isBusy />,
  Error: () => <Photo isRefused />,
}
