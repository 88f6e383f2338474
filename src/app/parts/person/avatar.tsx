import { useState } from 'react'
import { useCall } from '#app/api/use-call.ts'
import { PersonIcon } from '#app/ui/layout/icons.tsx'
import { pictures } from '#contract/pictures.ts'
import styles from './avatar.module.css'
import { initialsOf } from './initials.ts'
import { resolveMediaUrl } from './media-url.ts'

interface Props {
  userId: string
  firstName: string | null
  lastName: string | null
  hasPicture: boolean
  size?: 'large'
}

/** A person's picture, else their initials. Hidden from screen readers, so it goes beside the name. PROFILE-33 */
export function Avatar({ userId, firstName, lastName, hasPicture, size }: Props) {
  return (
    <span aria-hidden="true" className={`${styles.avatar} ${size === 'large' ? styles.large : ''}`}>
      {initialsOf(firstName, lastName) || <PersonIcon />}
      {/* the browser shows the picture before while the next one loads */}
      {hasPicture && <Picture key={userId} userId={userId} />}
    </span>
  )
}

function Picture({ userId }: { userId: string }) {
  /** URLs that failed to load */
  const [broken, setBroken] = useState<string[]>([])
  const { data, refetch, isFetching } = useCall(pictures.avatar, { params: { id: userId } })
  const url = data?.url
  if (url === undefined || broken.includes(url)) return null

  function onLoadError(failedUrl: string): void {
    setBroken([...broken, failedUrl])
    // a URL expires after 10 minutes: try a fresh one, but only once
    if (broken.length === 0 && !isFetching) void refetch()
  }

  return <img src={resolveMediaUrl(url)} alt="" className={styles.picture} onLoad={() => setBroken([])} onError={() => onLoadError(url)} />
}
