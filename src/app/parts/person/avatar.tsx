import { useState } from 'react'
import { useCall } from '#app/api/use-call.ts'
import { PersonIcon } from '#app/ui/layout/icons.tsx'
import { pictures } from '#contract/pictures.ts'
import styles from './avatar.module.css'
import { initialsOf } from './initials.ts'
import { mediaAddress } from './media-address.ts'

interface Props {
  userId: string
  firstName: string | null
  lastName: string | null
  hasPicture: boolean
  size?: 'large'
}

/** A person's picture over their initials, which show where there is none or it cannot be loaded. Goes beside the name. PROFILE-33 */
export function Avatar({ userId, firstName, lastName, hasPicture, size }: Props) {
  const [lost, setLost] = useState<string[]>([])
  return (
    <span aria-hidden="true" className={`${styles.avatar} ${size === 'large' ? styles.large : ''}`}>
      {initialsOf(firstName, lastName) || <PersonIcon />}
      {hasPicture && <Picture userId={userId} lost={lost} setLost={setLost} />}
    </span>
  )
}

interface PictureProps {
  userId: string
  /** URLs that failed to load */
  lost: readonly string[]
  setLost: (lost: string[]) => void
}

function Picture({ userId, lost, setLost }: PictureProps) {
  const { data, refetch, isFetching } = useCall(pictures.avatar, { params: { id: userId } })
  const url = data?.url
  if (url === undefined || lost.includes(url)) return null

  function lose(address: string): void {
    setLost([...lost, address])
    // a URL is valid for 10 minutes: a fresh one may work, a second failure in a row is final
    if (lost.length === 0 && !isFetching) void refetch()
  }

  return <img src={mediaAddress(url)} alt="" className={styles.picture} onLoad={() => setLost([])} onError={() => lose(url)} />
}
