import { isFirefoxOnAndroid, isInstalled, isIos, isMacSafari } from './browser.ts'
import { install } from './install.ts'

/** How to install the app: by the browser's prompt, or by hand; `none`: this browser cannot, or does not offer it now. */
export type InstallMethod = 'installed' | 'offer' | 'ios' | 'mac' | 'firefox' | 'none'

export function installMethod(): InstallMethod {
  if (isInstalled()) return 'installed'
  if (install.isOffered()) return 'offer'
  if (isIos()) return 'ios'
  if (isMacSafari()) return 'mac'
  return isFirefoxOnAndroid() ? 'firefox' : 'none'
}

/** Apple's browsers give the installed app a storage of its own, and may clear that of a page after seven days. */
export const hasOwnStorage = (method: InstallMethod) => method === 'ios' || method === 'mac'
