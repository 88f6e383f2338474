import { useSyncExternalStore } from 'react'
import { formatMoment, today } from './moments.ts'

/** `formatMoment`, rendered again once the day has turned: a screen that stays open would name a time of yesterday without its day. */
export function useMoment(): typeof formatMoment {
  useSyncExternalStore(today.subscribe, today.get)
  return formatMoment
}
