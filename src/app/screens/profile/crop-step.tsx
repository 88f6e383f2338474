import { useEffect, useRef, useState } from 'react'
import { staysUnknown } from '#app/api/api-error.ts'
import { messageFor } from '#app/api/message-for.ts'
import { unlessSignedOut } from '#app/api/unless-signed-out.ts'
import { OnlineOnlyButton } from '#app/api/online-only-button.tsx'
import { PHOTO_ASPECT, PHOTO_PROGRESS, PHOTO_ZOOM_MAXIMUM, PHOTO_ZOOM_MINIMUM } from '#app/constants.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { errorToast } from '#app/ui/feedback/toast.ts'
import { Button } from '#app/ui/forms/button.tsx'
import type { loadRoundCrop } from '#app/ui/browser/on-demand.ts'
import { cropPhoto, type CropArea, type OpenPhoto } from './crop-photo.ts'
import styles from './photo.module.css'
import { UploadFailed, uploadPhoto, type Progress } from './upload-photo.ts'

interface Props {
  photo: OpenPhoto
  userId: string
  /** loaded on demand, with the cropping library; 'lost' if that failed */
  cropper: Awaited<ReturnType<typeof loadRoundCrop>> | 'lost' | undefined
  /** true from when the file has arrived: the dialog must stay open until the photo is registered */
  onFinalizing: (isFinalizing: boolean) => void
  onCancel: () => void
  onSaved: () => void
}

const [, SENT, DONE] = PHOTO_PROGRESS

/** Crops the photo in a circle and saves it. Leaving the step aborts the upload. PROFILE-35, PROFILE-36 */
export function CropStep({ photo, userId, cropper, onFinalizing, onCancel, onSaved }: Props) {
  const { t } = useTranslation('profile')
  const { t: part } = useTranslation('details')
  const { t: ui } = useTranslation('ui')
  const [zoom, setZoom] = useState<number>(PHOTO_ZOOM_MINIMUM)
  const [area, setArea] = useState<CropArea>()
  const [progress, setProgress] = useState<Progress>()
  const [failure, setFailure] = useState<string>()
  const upload = useRef<AbortController>(undefined)
  /** the reply that it is saved was lost */
  const mayBeSaved = useRef(false)
  const alert = useRef<HTMLDivElement>(null)

  useEffect(() => () => upload.current?.abort(), [])
  useEffect(() => {
    alert.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])

  function showProgress(percent: Progress): void {
    setProgress(percent)
    onFinalizing(percent >= SENT)
    announce(t('PhotoProgress', { percent }))
  }

  async function save(): Promise<void> {
    // a ref: a second tap may come before the next render
    if (!area || upload.current) return
    const controller = new AbortController()
    upload.current = controller
    let hasArrived = false
    const noteProgress = (percent: Progress) => {
      hasArrived = percent >= SENT
      showProgress(percent)
    }
    setFailure(undefined)
    try {
      const round = await cropPhoto(photo, area)
      const { signal } = controller
      await unlessSignedOut(() => uploadPhoto({ photo: round, name: photo.name, userId, signal, onProgress: noteProgress }))
      announce(t('PhotoSaved'))
      onSaved()
    } catch (error) {
      if (controller.signal.aborted && !hasArrived) return
      console.warn('The photo was not saved', error)
      // the person has gone back while it was registered
      if (controller.signal.aborted) return errorToast({ error }, t('PhotoUnsure', { reason: messageFor(error) }))
      upload.current = undefined
      setProgress(undefined)
      onFinalizing(false)
      if (hasArrived) mayBeSaved.current = staysUnknown(mayBeSaved.current, error)
      const reason = error instanceof UploadFailed ? t('PhotoUploadFailed', { status: error.statusText }) : messageFor(error)
      setFailure(mayBeSaved.current ? t('PhotoUnsure', { reason }) : reason)
    }
  }

  const isSaving = progress !== undefined
  const isFinalizing = isSaving && progress >= SENT
  return (
    <div className={`stack ${styles.step}`}>
      {cropper === undefined || cropper === 'lost' ? (
        <p role={cropper ? 'alert' : 'status'} className={styles.place}>
          {cropper ? ui('DialogLost') : ui('Loading')}
        </p>
      ) : (
        <cropper.RoundCrop
          image={photo.previewUrl}
          zoom={zoom}
          zoomMinimum={PHOTO_ZOOM_MINIMUM}
          zoomMaximum={PHOTO_ZOOM_MAXIMUM}
          aspect={PHOTO_ASPECT}
          label={t('PhotoCropLabel')}
          moveLabel={t('PhotoMove')}
          moveLabels={{
            ArrowLeft: t('PhotoMoveLeft'),
            ArrowUp: t('PhotoMoveUp'),
            ArrowDown: t('PhotoMoveDown'),
            ArrowRight: t('PhotoMoveRight'),
          }}
          zoomLabel={t('PhotoZoom')}
          zoomText={(zoom) => t('PhotoPercent', { percent: Math.round(zoom * 100) })}
          isFrozen={isSaving}
          onZoom={setZoom}
          onArea={setArea}
        />
      )}
      <div className={styles.progress}>
        {isSaving && (
          <>
            <progress max={DONE} value={progress} aria-label={t('PhotoUploading')} />
            <span aria-hidden="true">{t('PhotoPercent', { percent: progress })}</span>
          </>
        )}
      </div>
      {failure !== undefined && (
        <div ref={alert} role="alert" className={`notice notice-refused ${styles.failure}`}>
          <strong>{t('PhotoFailed')}</strong>
          <p>{failure}</p>
        </div>
      )}
      <div className={styles.actions}>
        <Button isInert={isFinalizing} onClick={onCancel}>
          {ui('Cancel')}
        </Button>
        <div>
          <OnlineOnlyButton variant="primary" isWide isBusy={isSaving || !area} onClick={() => void save()}>
            {isSaving ? part('Saving') : part('Save')}
          </OnlineOnlyButton>
        </div>
      </div>
    </div>
  )
}
