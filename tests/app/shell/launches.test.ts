import { beforeEach, expect, it, vi } from 'vitest'
import { followLaunches } from '#app/shell/launches.ts'

/** What a shortcut, a link and the icon do to an open app. INSTALL-7 */

const navigate = vi.hoisted(() => vi.fn())
vi.mock('wouter/use-browser-location', () => ({ navigate }))

const ORIGIN = 'https://touchline.test'
let launch: (path: string) => void

beforeEach(() => {
  navigate.mockReset()
  vi.stubGlobal('location', { origin: ORIGIN })
  vi.stubGlobal('launchQueue', {
    setConsumer: (consumer: (launch: { targetURL: string }) => void) => {
      launch = (path) => consumer({ targetURL: new URL(path, ORIGIN).href })
      // Chromium delivers the launch that opened the page as soon as somebody listens
      launch('/profile')
    },
  })
  followLaunches()
})

it('the launch that opened the page is not handled again', () => {
  expect(navigate).not.toHaveBeenCalled()
})

it('a shortcut opens its screen, a link with its query', () => {
  launch('/assessment/continue')
  launch('/device?from=a-mail')
  expect(navigate.mock.calls).toEqual([['/assessment/continue'], ['/device?from=a-mail']])
})

it('the icon leaves the open screen as it is', () => {
  launch('/')
  expect(navigate).not.toHaveBeenCalled()
})

it('a launch to another site is ignored', () => {
  launch('https://elsewhere.test/profile')
  expect(navigate).not.toHaveBeenCalled()
})
