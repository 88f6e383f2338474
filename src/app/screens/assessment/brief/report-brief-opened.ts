import { isApiError } from '#app/api/api-error.ts'
import { reader } from '#app/api/session-port.ts'
import { call } from '#app/api/call.ts'
import { network, onReachable } from '#app/api/network.ts'
import { instances } from '#contract/instances.ts'

/** Briefs opened here that the server does not know of yet: instance → its player. */
const unreported = new Map<string, string>()

/**
 * Reports that the player could read who sees what, now or once the server can be reached: from then on the coach sees who has
 * the instance (BRIEF-6). If the app is closed before that, the first save reports it.
 */
export function reportBriefOpened(userId: string, instanceId: string): void {
  unreported.set(instanceId, userId)
  void reportAll()
}

onReachable(() => void reportAll())

async function reportAll(): Promise<void> {
  for (const [instanceId, userId] of unreported) {
    if (!network.isReachable() || reader.id() !== userId) continue
    try {
      await call(instances.briefOpened, { params: { instanceId } })
    } catch (error) {
      // retried when the connection is back, unless it was refused for good
      if (!isApiError(error) || error.isTransient) continue
    }
    unreported.delete(instanceId)
  }
}
