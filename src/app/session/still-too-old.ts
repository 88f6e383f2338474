import { isApiError, type ApiError } from '#app/api/api-error.ts'
import { retryDelay } from '#app/api/backoff.ts'
import { call } from '#app/api/call.ts'
import { network } from '#app/api/network.ts'
import { updateRequired } from '#app/api/update-required.ts'
import { TOO_OLD_WAITS } from '#app/constants.ts'
import { users } from '#contract/users.ts'
import { session } from './session.ts'

/**
 * Asks the API whether this version is still too old for it; any other reply ends that state. Without this, a screen that makes no calls
 * would say so for ever. health replies to any version. Never rejects.
 * @returns why it is not known, if there was an error
 */
export async function recheckVersion(): Promise<ApiError | undefined> {
  const id = session.get().user?.id
  if (!updateRequired.get() || id === undefined || !network.isReachable()) return undefined
  try {
    await call(users.get, { params: { id } })
    return undefined
  } catch (error) {
    return isApiError(error) ? error : undefined
  }
}

/** Polls for as long as the version is too old. Called once, by device/start.ts. Returns a function that stops it. */
export function watchStillTooOld(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  function plan(failures: number, error?: ApiError): void {
    timer = setTimeout(() => void recheckAndPlan(failures), retryDelay(failures, error, TOO_OLD_WAITS))
  }
  async function recheckAndPlan(failures: number): Promise<void> {
    const error = await recheckVersion()
    if (updateRequired.get()) plan(failures + 1, error)
  }
  const restart = () => {
    clearTimeout(timer)
    if (updateRequired.get()) plan(1)
  }
  restart()
  return updateRequired.subscribe(restart)
}
