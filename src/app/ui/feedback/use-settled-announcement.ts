import { useEffect, useEffectEvent, useState } from 'react'
import { SCREEN_SETTLES_MS } from '#app/constants.ts'
import { announce } from './announcer.ts'

/**
 * For what an act changes on screen: announced once the screen has settled, as it is by then, and not if it was left meanwhile.
 * @param text what is true now; undefined if nothing is to be said
 * @returns asks for the announcement
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
