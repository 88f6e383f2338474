import { isMemoryStorage } from '#app/ui/browser/memory-storage.ts'
import { errorToast } from '#app/ui/feedback/toast.ts'

/** Says that a sign-out could not clear this device: the next start tries again, unless the browser keeps no note of it. */
export function showNotCleared(): void {
  errorToast(isMemoryStorage(localStorage) ? 'shell:NotChecked' : 'shell:NotCleared')
}
