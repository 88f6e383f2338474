import { useEffect, useState } from 'react'
import { SIDEBAR_COOKIE, SIDEBAR_COOKIE_SECONDS, SIDEBAR_EXPANDED_PX, SIDEBAR_KEY } from '#app/constants.ts'

/** Whether a menu item is current: the path equals its URL or, except for the root, starts with it. SHELL-5 */
export function isActive(path: string, url: string): boolean {
  return path === url || (url !== '/' && path.startsWith(url))
}

/** Whether the cookie says expanded; without a cookie, expanded if the screen is wide enough. */
export function isExpandedIn(cookies: string, widthPx: number): boolean {
  const stored = cookies.split('; ').find((one) => one.startsWith(`${SIDEBAR_COOKIE}=`))
  return stored ? stored !== `${SIDEBAR_COOKIE}=false` : widthPx >= SIDEBAR_EXPANDED_PX
}

export function sidebarCookie(isExpanded: boolean): string {
  return `${SIDEBAR_COOKIE}=${isExpanded}; path=/; max-age=${SIDEBAR_COOKIE_SECONDS}; samesite=lax`
}

/** Ctrl or Meta plus b, but not while typing (SHELL-6). */
export function isToggleKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>, isTyping: boolean): boolean {
  return event.key.toLowerCase() === SIDEBAR_KEY && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && !isTyping
}

/** A searchable list is an input, too. Of what is only chosen, the focus stays there: a coach's filter, a player's answer. */
function isTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea'))
}

/** On wide screens the sidebar is expanded or collapsed, remembered for 7 days; on narrow ones it is a drawer. */
export function useSidebar(isMobile: boolean) {
  const [isExpanded, setIsExpanded] = useState(() => isExpandedIn(document.cookie, innerWidth))
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)

  function toggle(): void {
    if (isMobile) return setIsDrawerOpen(!isDrawerOpen)
    document.cookie = sidebarCookie(!isExpanded)
    setIsExpanded(!isExpanded)
  }

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (!isToggleKey(event, isTextField(event.target))) return
      event.preventDefault()
      toggle()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })

  return { isExpanded, isDrawerOpen, toggle, closeDrawer: () => setIsDrawerOpen(false) }
}
