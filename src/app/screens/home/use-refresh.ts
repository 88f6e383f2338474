import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { network } from '#app/api/network.ts'
import { useTranslation } from '#app/i18n/use-translation.ts'
import { REFRESH_AT_FRONT_MS } from '#app/constants.ts'
import { hasElapsed } from '#app/device-clock.ts'
import { announce } from '#app/ui/feedback/announcer.ts'
import { errorToast } from '#app/ui/feedback/toast.ts'
import type { Tag } from '#contract/endpoint.ts'

/** Reads that others may change while a coach looks at the dashboard: players answer, another tablet assigns or reclaims. */
const TAGS_CHANGED_BY_OTHERS: readonly (Tag | undefined)[] = ['CoachAssessments', 'Token', 'Assessment']
const isChangedByOthers = ({ queryKey: [tag] }: Query) => TAGS_CHANGED_BY_OTHERS.some((one) => one === tag)
const changedByOthers = { type: 'active', predicate: isChangedByOthers } as const

/**
 * Refreshes the coach's dashboard whenever it comes to the front, and on request. HOME-19
 * @param readAt when the data on screen was read, epoch ms
 */
export function useRefresh(readAt: number | undefined): { refresh: () => Promise<void>; isFetching: boolean } {
  const { t } = useTranslation('home')
  const client = useQueryClient()
  const isFetching = useIsFetching(changedByOthers) > 0
  const triedAt = useRef(0)

  const read = useCallback(() => {
    triedAt.current = Date.now()
    return client.refetchQueries(changedByOthers, { throwOnError: true })
  }, [client])

  // the wait is the same after a failed read, so that requests never come in quick succession
  const readAtFront = useEffectEvent(() => {
    if (document.hidden || !network.isReachable() || readAt === undefined) return
    if (!hasElapsed(readAt, REFRESH_AT_FRONT_MS) || !hasElapsed(triedAt.current, REFRESH_AT_FRONT_MS)) return
    // on failure the data on screen still shows when it was read
    read().catch(() => undefined)
  })
  useEffect(() => {
    // the dashboard was opened, perhaps from another screen
    readAtFront()
    const listener = () => readAtFront()
    document.addEventListener('visibilitychange', listener)
    addEventListener('focus', listener)
    addEventListener('pageshow', listener)
    return () => {
      document.removeEventListener('visibilitychange', listener)
      removeEventListener('focus', listener)
      removeEventListener('pageshow', listener)
    }
  }, [])

  const refresh = useCallback(
    () =>
      read().then(
        () => announce(t('Refreshed')),
        () => errorToast('home:RefreshFailed'),
      ),
    [read, t],
  )
  return { refresh, isFetching }
}
