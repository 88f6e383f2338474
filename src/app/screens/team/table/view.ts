import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { TEAM_SEARCH_SETTLES_MS } from '#app/constants.ts'
import { afterPaint } from '#app/ui/browser/after-paint.ts'
import { requestedPage } from '#app/ui/tables/pagination.tsx'
import { TEAM_COLUMNS, type TeamView } from '#app/screens/team/team-player.ts'

/** The view in the URL, so that it can be shared, reloaded and returned to. */

interface TeamPlace extends TeamView {
  /** counts from 0; in the URL from 1 */
  page: number
}

export function readPlace(search: string): TeamPlace {
  const given = new URLSearchParams(search)
  const text = (name: string) => given.get(name) ?? ''
  return {
    search: text('search'),
    status: text('status'),
    result: text('result'),
    position: text('position'),
    style: text('style'),
    letters: text('letters'),
    sort: TEAM_COLUMNS.find((column) => column === given.get('sort')) ?? 'player',
    isDescending: given.get('order') === 'desc',
    page: requestedPage(given.get('page')),
  }
}

/** The query string of a view. Defaults are omitted; other parameters are preserved. */
export function writePlace(search: string, { page, sort, isDescending, ...texts }: TeamPlace): string {
  const query = new URLSearchParams(search)
  const put = (name: string, value: string) => (value === '' ? query.delete(name) : query.set(name, value))
  for (const [name, value] of Object.entries(texts)) put(name, value)
  put('sort', sort === 'player' ? '' : sort)
  put('order', isDescending ? 'desc' : '')
  put('page', page === 0 ? '' : String(page + 1))
  return query.toString()
}

/**
 * The view and page on screen. `changeView` also goes to the first page. The rows do not wait for the URL: it is written after they
 * are painted, and while typing after a pause, because browsers limit how often a page may rewrite its URL.
 */
export function useTeamPlace() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const placeInUrl = useMemo(() => readPlace(search), [search])
  const [asked, setAsked] = useState({ place: placeInUrl, since: search, isTyped: false })
  // once the URL changes (by the write below, a link or Back), it has the current view
  const place = asked.since === search ? asked.place : placeInUrl
  const query = writePlace(search, place)
  const isWritten = query === writePlace(search, placeInUrl)

  const write = useEffectEvent(() => {
    // a link was followed meanwhile, and its screen is still loading: its URL must stay
    if (location.pathname === path) navigate(query === '' ? path : `${path}?${query}`, { replace: true })
  })
  useEffect(() => {
    if (isWritten) return
    let isWanted = true
    const then = () => isWanted && write()
    const timer = asked.isTyped ? setTimeout(then, TEAM_SEARCH_SETTLES_MS) : undefined
    if (timer === undefined) afterPaint(then)
    // a link that is followed before the pause is over must find the view in the URL it leaves
    document.addEventListener('click', then, { capture: true })
    return () => {
      isWanted = false
      clearTimeout(timer)
      document.removeEventListener('click', then, { capture: true })
    }
  }, [asked, isWritten])

  const ask = (change: Partial<TeamPlace>) =>
    setAsked({ place: { ...place, ...change }, since: search, isTyped: change.search !== undefined })
  const { search: text, status, result, position, style, letters, sort, isDescending, page } = place
  const view = useMemo<TeamView>(
    () => ({ search: text, status, result, position, style, letters, sort, isDescending }),
    [text, status, result, position, style, letters, sort, isDescending],
  )
  return {
    view,
    page,
    setPage: (next: number) => ask({ page: next }),
    changeView: (change: Partial<TeamView>) => ask({ ...change, page: 0 }),
  }
}
