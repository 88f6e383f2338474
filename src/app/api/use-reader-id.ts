import { useSyncExternalStore } from 'react'
import { reader } from './session-port.ts'

/** The signed-in user's id, known or verified: reads and writes belong to it. */
export function useReaderId(): string | undefined {
  return useSyncExternalStore(reader.subscribe, reader.id)
}
