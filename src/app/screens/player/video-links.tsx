import { useState } from 'react'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { validVideos, type Video } from './videos.ts'

/** Links to videos, with thumbnails. An invalid entry is skipped, and a thumbnail that fails to load is hidden. HOME-11 */
export function VideoLinks({ entries }: { entries: readonly unknown[] }) {
  const { t } = useTranslation('player')
  const videos = validVideos(entries)
  if (videos.length === 0) return null
  return (
    <>
      <h4>{t('VideosTitle')}</h4>
      <ul className="player-videos">
        {videos.map((video, index) => (
          <li key={video.url}>
            <VideoLink video={video} number={index + 1} />
          </li>
        ))}
      </ul>
    </>
  )
}

function VideoLink({ video, number }: { video: Video; number: number }) {
  const { t } = useTranslation('player')
  const [hasFailed, setHasFailed] = useState(false)
  return (
    <a href={video.url} target="_blank" rel="noopener noreferrer">
      {video.thumbnail && !hasFailed && (
        <img src={video.thumbnail} alt="" width="128" height="72" loading="lazy" onError={() => setHasFailed(true)} />
      )}
      <span>
        {video.title ?? t('VideoNumber', { number })}
        <span className="visually-hidden"> ({t('ui:OpensInNewTab')})</span>
      </span>
    </a>
  )
}
