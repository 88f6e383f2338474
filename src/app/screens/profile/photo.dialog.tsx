import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { Button } from '#app/ui/forms/button.tsx'
import { Dialog } from '#app/ui/feedback/dialog.tsx'
import { DropZone } from '#app/ui/forms/drop-zone.tsx'
import { loadRoundCrop, useOnDemand } from '#app/ui/browser/on-demand.ts'
import { closePhoto, openPhoto, type OpenPhoto } from './crop-photo.ts'
import { CropStep } from './crop-step.tsx'
import styles from './photo.module.css'

interface Props {
  userId: string
  onClose: () => void
}

/** Choose a photo, crop and save it. Nothing leaves the device before Save. PROFILE-34 */
export function PhotoDialog({ userId, onClose }: Props) {
  const { t } = useTranslation('profile')
  const [photo, setPhoto] = useState<OpenPhoto>()
  const [hasReturned, setHasReturned] = useState(false)
  const [isFinalizing, setIsFinalizing] = useState(false)
  const cropper = useOnDemand(loadRoundCrop, true)

  useEffect(() => (photo ? () => closePhoto(photo) : undefined), [photo])

  function cancel(): void {
    setHasReturned(true)
    setPhoto(undefined)
  }

  return (
    <Dialog isOpen title={t('PhotoTitle')} isBusy={isFinalizing} onClose={onClose}>
      {photo ? (
        <CropStep photo={photo} userId={userId} cropper={cropper} onFinalizing={setIsFinalizing} onCancel={cancel} onSaved={onClose} />
      ) : (
        <ChooseStep hasReturned={hasReturned} onPhoto={setPhoto} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface ChooseStepProps {
  /** back from the crop step: the first button here takes the focus */
  hasReturned: boolean
  onPhoto: (photo: OpenPhoto) => void
  onClose: () => void
}

function ChooseStep({ hasReturned, onPhoto, onClose }: ChooseStepProps) {
  const { t } = useTranslation('profile')
  const { t: ui } = useTranslation('ui')
  const [isOpening, setIsOpening] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function open(file: File): Promise<void> {
    setProblem(undefined)
    setIsOpening(true)
    try {
      onPhoto(await openPhoto(file))
    } catch (error) {
      console.warn('A photo could not be read', error)
      setProblem(t('PhotoUnreadable'))
      setIsOpening(false)
    }
  }

  return (
    <div className={`stack ${styles.step}`}>
      <DropZone
        type="image/"
        label={isOpening ? t('PhotoOpening') : t('PhotoChoose')}
        dropLabel={t('PhotoDrop')}
        hint={t('PhotoHint')}
        error={problem}
        isBusy={isOpening}
        hasFocus={hasReturned}
        onFile={(file) => void open(file)}
        onRefused={() => setProblem(t('PhotoImagesOnly'))}
      />
      <div className={styles.actions}>
        <Button onClick={onClose}>{ui('Close')}</Button>
      </div>
    </div>
  )
}
