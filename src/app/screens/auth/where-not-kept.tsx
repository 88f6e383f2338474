import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { useOnDemand } from '#app/ui/browser/on-demand.ts'
import { loadNotKept } from './on-demand.ts'

/** On every screen of the sign-in, as each may be the first that somebody opens. */
export function WhereNotKept() {
  const notKept = useOnDemand(loadNotKept, isMemoryStorage(localStorage))
  return notKept && notKept !== 'lost' && <notKept.NotKept />
}
