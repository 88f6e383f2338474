import { useSyncExternalStore } from 'react'
import { session } from './session.ts'
import type { Session } from './session-of.ts'

/** The session; renders again when it changes. */
export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.get)
}
