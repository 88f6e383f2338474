import { isApiError } from '#app/api/api-error.ts'
import { bearer } from '#app/api/bearer.ts'
import { call } from '#app/api/call.ts'
import { network, onReachable } from '#app/api/network.ts'
import { instances } from '#contract/instances.ts'

/** Instance → whose it is: opened here, and the server does not know yet. */
const untold = new Map<string, string>()

/**
 * Tells that its player could read who sees what, at once or as soon as the server can be reached: from then on the coach
 * sees whose the instance is (BRIEF-6). Where the app is closed before, the first save says it.
 */
export function tellBriefOpened(userId: string, instanceId: string): void {
  untold.set(instanceId, userId)
  void tellAll()
}

onReachable(() => void tellAll())

async function tellAll(): Promise<void> {
  for (const [instanceId, userId] of untold) {
    if (!network.isReachable() || bearer.userId() !== userId) continue
    try {
      await call(instances.briefOpened, { params: { instanceId } })
    } catch (error) {
      // tried again when the line is back; a definite refusal will not change
      if (!isApiError(error) || error.isTransient) continue
    }
    untold.delete(instanceId)
  }
}
