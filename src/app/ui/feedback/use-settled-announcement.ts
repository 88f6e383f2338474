import { useEffect, useEffectEvent, useState } from 'react'
import { SCREEN_SETTLES_MS } from '#app/constants.ts'
import { announce } from './announcer.ts'

/**
 * Announces a change on screen once the screen has settled, with the text of that moment, unless the screen was left meanwhile.
 * @param text undefined: there is nothing to announce
 * @returns schedules the announcement
 */
export function useSettledAnnouncement(text: string | undefined): () => void {
  const [asked, setAsked] = useState(0)
  const say = useEffectEvent(() => {
    if (text !== undefined) announce(text)
  })
  useEffect(() => {
    if (asked === 0) return
    const timer = setTimeout(say, SCREEN_SETTLES_MS)
    return () => clearTimeout(timer)
  }, [asked])
  return () => setAsked((before) => before + 1)
}
