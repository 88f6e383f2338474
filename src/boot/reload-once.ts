import { RELOAD_AGAIN_MS, RELOADED_KEY } from '#app/constants.ts'
import { hasElapsed } from '#app/device-clock.ts'
import { wasReloaded } from '#app/was-reloaded.ts'

/** Reloads the page, once only: another reload would not find what the server does not have. */
export function reloadOnce(): void {
  if (navigator.onLine && !window.earlyStart?.first?.hasUnwritten() && mayReload()) location.reload()
}

function mayReload(): boolean {
  try {
    if (!hasElapsed(Number(sessionStorage.getItem(RELOADED_KEY) ?? 0), RELOAD_AGAIN_MS)) return false
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()))
    // one of the page's own (ui/browser/blocked-storages.ts) is lost with it, and nothing else would prevent endless reloads
    return sessionStorage instanceof Storage || !wasReloaded()
  } catch {
    return !wasReloaded()
  }
}
