import { isApiError } from '#app/api/api-error.ts'
import { reader } from '#app/api/session-port.ts'
import { call } from '#app/api/call.ts'
import { network, onReachable } from '#app/api/network.ts'
import { instances } from '#contract/instances.ts'

/** Briefs opened here that the server has not been told of: instance id → id of its player. */
const unreported = new Map<string, string>()

/**
 * Tells the server that the player could read who sees what, now or once the server can be reached. After that the coach sees
 * who has the instance (BRIEF-6). If the app is closed first, the first save tells the server.
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
      await call(instances.briefOpened, { params: { instanceId } }, { userId })
    } catch (error) {
      // retried when the connection is back, unless the server refused it
      if (!isApiError(error) || error.isTransient) continue
    }
    unreported.delete(instanceId)
  }
}
