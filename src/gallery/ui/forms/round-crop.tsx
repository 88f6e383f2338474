import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { RoundCrop } from '#app/ui/forms/round-crop.tsx'
import type { States } from '../../states.ts'
import { Revealed } from '../../revealed.tsx'

function Crop({ isFrozen = false }) {
  const { t } = useTranslation('gallery')
  const [zoom, setZoom] = useState(1)
  return (
    <RoundCrop
      image="/icons/icon-512.png"
      zoom={zoom}
      zoomMinimum={1}
      zoomMaximum={3}
      aspect={1}
      label={t('CropLabel')}
      moveLabel={t('CropMove')}
      moveLabels={{ ArrowLeft: t('CropLeft'), ArrowUp: t('CropUp'), ArrowDown: t('CropDown'), ArrowRight: t('CropRight') }}
      zoomLabel={t('CropZoom')}
      zoomText={String}
      isFrozen={isFrozen}
      onZoom={setZoom}
      onArea={() => undefined}
    />
  )
}

export const states: States = {
  Default: () => <Revealed>{() => <Crop />}</Revealed>,
  Busy: () => <Revealed>{() => <Crop isFrozen />}</Revealed>,
}
