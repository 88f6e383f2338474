// never "not in a browser": a tab on the full screen is in neither, and WebKitGTK reports no display mode at all
const APP_WINDOWS = ['standalone', 'minimal-ui', 'window-controls-overlay'].map((mode) => `(display-mode: ${mode})`).join(', ')

/** Opened from the home screen. Older Safari reports it only by `navigator.standalone`. */
export function isInstalled(): boolean {
  return matchMedia(APP_WINDOWS).matches || isOnIosHomeScreen()
}

/** The installed app on an iPhone or iPad, whose storage is not the browser's. */
export function isOnIosHomeScreen(): boolean {
  return 'standalone' in navigator && navigator.standalone === true
}

/** A browser on an iPhone or iPad that can add to the home screen. An iPad claims to be a Mac, but no Mac has a touch screen. */
export function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  // browsers embedded in other apps are not named Safari, and cannot add to the home screen
  return (/iPhone|iPad|iPod/.test(userAgent) || (isMac() && maxTouchPoints > 1)) && userAgent.includes('Safari/')
}

const isMac = () => navigator.userAgent.includes('Macintosh')

/** Safari on a Mac: "Add to Dock" since version 17. */
export function isMacSafari(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return isMac() && maxTouchPoints <= 1 && Number(/Version\/(\d+).*Safari\//.exec(userAgent)?.[1] ?? 0) >= 17
}

export function isFirefoxOnAndroid(): boolean {
  return /Android.*Firefox\//.test(navigator.userAgent)
}
