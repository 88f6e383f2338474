import { useState } from 'react'
import { useLocation } from 'wouter'
import { paths } from '#app/paths.ts'
import { showNotCleared } from '#app/session/not-cleared.ts'
import { rememberTarget } from '#app/session/return-to.ts'
import { signOut } from '#app/session/sign-out.ts'

/** Signs out, and returns to this URL after the next sign-in. Unsent answers stay on the device for their account (SESSION-17). */
export function useSwitchAccount(): { isLeaving: boolean; switchAccount: () => Promise<void> } {
  const [path, navigate] = useLocation()
  const [isLeaving, setIsLeaving] = useState(false)
  const switchAccount = async () => {
    setIsLeaving(true)
    const isCleared = await signOut({ keepUnsent: true })
    if (!isCleared) showNotCleared()
    rememberTarget(path)
    navigate(paths.login(), { replace: true })
  }
  return { isLeaving, switchAccount }
}
