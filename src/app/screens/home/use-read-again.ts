import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { network } from '#app/api/network.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { READ_AGAIN_AT_FRONT_MS } from '#app/constants.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { errorToast } from '#app/ui/feedback/toast.ts'
import type { Tag } from '#contract/endpoint.ts'

/** What others change while a coach looks at the dashboard: players answer, another tablet assigns and reclaims. */
const TAGS: readonly (Tag | undefined)[] = ['CoachAssessments', 'Token', 'Assessment']
const isTheirs = ({ queryKey: [tag] }: Query) => TAGS.some((one) => one === tag)
const theirs = { type: 'active', predicate: isTheirs } as const

/**
 * Refreshes the coach's dashboard whenever it comes to the front, and on request. HOME-19
 * `readAt`: epoch ms of what is shown.
 */
export function useReadAgain(readAt: number | undefined): { readAgain: () => Promise<void>; isReading: boolean } {
  const { t } = useTranslation('home')
  const client = useQueryClient()
  const isReading = useIsFetching(theirs) > 0
  const triedAt = useRef(0)

  const read = useCallback(() => {
    triedAt.current = Date.now()
    return client.refetchQueries(theirs, { throwOnError: true })
  }, [client])

  // a failed read waits as long as a successful one, so that requests never come in quick succession
  const comeToFront = useEffectEvent(() => {
    const lastAt = Math.max(triedAt.current, readAt ?? Number.POSITIVE_INFINITY)
    if (document.hidden || !network.isReachable() || Date.now() - lastAt < READ_AGAIN_AT_FRONT_MS) return
    // on failure, what is shown keeps its date
    read().catch(() => undefined)
  })
  useEffect(() => {
    // back from another screen
    comeToFront()
    const listener = () => comeToFront()
    document.addEventListener('visibilitychange', listener)
    addEventListener('focus', listener)
    addEventListener('pageshow', listener)
    return () => {
      document.removeEventListener('visibilitychange', listener)
      removeEventListener('focus', listener)
      removeEventListener('pageshow', listener)
    }
  }, [])

  const readAgain = useCallback(
    () =>
      read().then(
        () => announce(t('ReadAgainDone')),
        () => errorToast(t('ReadAgainFailed')),
      ),
    [read, t],
  )
  return { readAgain, isReading }
}
