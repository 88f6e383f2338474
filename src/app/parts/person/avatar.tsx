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
  const [broken, setBroken] = useState<string[]>([])
  return (
    <span aria-hidden="true" className={`${styles.avatar} ${size === 'large' ? styles.large : ''}`}>
      {initialsOf(firstName, lastName) || <PersonIcon />}
      {hasPicture && <Picture userId={userId} broken={broken} setBroken={setBroken} />}
    </span>
  )
}

interface PictureProps {
  userId: string
  /** URLs that failed to load */
  broken: readonly string[]
  setBroken: (urls: string[]) => void
}

function Picture({ userId, broken, setBroken }: PictureProps) {
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
