import { useSyncExternalStore } from 'react'
import { session } from './session.ts'
import type { Session } from './session.ts'

/** Who is signed in, and how sure that is: `{status, user, userTypeCode, isExpiringSoon, isRefreshing}`. */
export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.get)
}
