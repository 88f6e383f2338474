import { describe, expect, it } from 'vitest'
import { paths } from '#app/paths.ts'
import { everyScreen, fileOf, patternOf } from '#contract/screens.ts'
import { filesBelow, parse } from './source-files.ts'

/** URLs ↔ files: the address bar is the path of the screen. SHELL-1; README */

/** The 18 that were asked for. SHELL-1 */
const SPECIFIED = [
  '/auth/login',
  '/auth/otp',
  '/auth/onboard',
  '/',
  '/profile',
  '/about',
  '/checkout/coach/confirm-details',
  '/checkout/purchase-token',
  '/checkout/purchase-token/payment',
  '/checkout/{assessmentId}',
  '/checkout/{assessmentId}/payment',
  '/assessment/{assessmentInstanceId}/confirm-details',
  '/assessment/{assessmentInstanceId}/brief',
  '/assessment/{assessmentInstanceId}/test',
  '/assessment/{assessmentInstanceId}/results',
  '/stripe/direct-purchase/return',
  '/stripe/token-purchase/return',
  '/token-purchase/successful',
]
const OURS = [
  '/about/results',
  '/answers-file',
  '/assessment/continue',
  '/device',
  '/invitations/stop',
  '/operator',
  '/team/{assessmentInstanceId}/report',
]

const routes = everyScreen.map((screen) => ({
  url: screen.path.replace(/:(\w+)/g, '{$1}'),
  file: fileOf(screen),
  pattern: patternOf(screen),
}))
const screens = filesBelow('src/app/screens', /\.screen\.tsx$/)

function firstLineComment(path: string): string | undefined {
  return parse(path).comments.find(({ start }) => start === 0)?.value
}

/** The first that matches, as the portal looks it up: without query and hash. */
function routeOf(address: string): string | undefined {
  const [path = ''] = address.split(/[?#]/)
  return routes.find(({ pattern }) => pattern.test(path))?.url
}

describe('URLs', () => {
  it('are the 18 that were asked for and ours, and no others', () => {
    expect(routes.map(({ url }) => url).toSorted()).toEqual([...SPECIFIED, ...OURS].toSorted())
    expect(SPECIFIED).toHaveLength(18)
  })

  it('have their screen, and every screen has its URL', () => {
    const there = screens.map((path) => path.replace(/^src\/app\/screens\/|\.screen\.tsx$/g, ''))
    expect(there.toSorted()).toEqual(routes.map(({ file }) => file).toSorted())
  })

  it('stand in the first line of their screen', () => {
    const told = screens.map((path) => /^\* (\/[^\s:?]*)/.exec(firstLineComment(path) ?? '')?.[1])
    const meant = screens.map((path) => routes.find(({ file }) => path.endsWith(`/${file}.screen.tsx`))?.url)
    expect(told).toEqual(meant)
  })

  it('are all built by paths.ts, and what it builds is found', () => {
    const built = Object.values(paths).map((build) => routeOf((build as (part: string) => string)('x'))) // a count is as good as an id
    expect(new Set(built)).toEqual(new Set(routes.map(({ url }) => url)))
  })
})
