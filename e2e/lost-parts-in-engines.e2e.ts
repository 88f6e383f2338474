import { paths } from '#app/paths.ts'
import { newPlayer, type Person } from './support/api.ts'
import { button, heading, signIn } from './support/engines/steps.ts'
import { engineTest as test, inEveryEngine } from './support/engines/journey.ts'
import type { EnginePage } from './support/engines/page.ts'
import { fileMissing, type Front } from './support/front.ts'
import { expect } from './support/journey.ts'
import type { Words } from './support/words.ts'

/** A part of the app that is gone, or whose loading ends because the page is left, without a worker that has stored it. INSTALL-3 */

const PROFILE = /\/assets\/profile\.screen/

/** On the dashboard; the paths of the pages that are asked for from then on. */
async function watchedHome(page: EnginePage, t: Words, player: Person, front: Front): Promise<string[]> {
  front.bend(/^\/sw\.js/, fileMissing)
  await signIn(page, t, player, front.url)
  await page.sees({ role: 'region', name: t('home:SummaryTitle') })
  const asked: string[] = []
  front.bend(/^\/(profile|about)?$/, (incoming, _, pass) => {
    asked.push(incoming.url ?? '')
    pass()
  })
  return asked
}

inEveryEngine(() => {
  test('a part that is gone reloads the page once and is then told as that', async ({ engine, t, server, front, phone }) => {
    const page = await phone.open()
    const asked = await watchedHome(page, t, await newPlayer(server.url), front)
    front.bend(PROFILE, fileMissing)
    await page.tap({ role: 'link', name: t('shell:MenuProfile') })
    await page.sees(heading(t('shell:UnexpectedApplicationError')), { timeout: 30_000 })
    expect(asked.length).toBeLessThanOrEqual(1)
    // it keeps over a reload that this file was missing; after a deployment the file has another name
    if (engine.name === 'WebKitGTK') return
    front.mend()
    await page.tap(button(t('shell:Reload')))
    await page.sees(heading(t('profile:ProfileTitle')))
  })

  test('who opens another page while a part is loading gets that page, and back there is no empty one', async ({
    t,
    server,
    front,
    phone,
  }) => {
    const page = await phone.open()
    const asked = await watchedHome(page, t, await newPlayer(server.url), front)
    let isHeld = false
    // no reply until the page is left
    front.bend(PROFILE, () => {
      isHeld = true
    })
    await page.tap({ role: 'link', name: t('shell:MenuProfile') })
    await expect.poll(() => isHeld).toBe(true)
    await page.run((path) => void setTimeout(() => location.assign(path)), paths.about())
    await page.sees(heading(t('about:AboutTitle')))
    expect(asked).toEqual([paths.about()])

    front.mend()
    await page.run(() => history.back(), undefined)
    await page.sees(heading(t('profile:ProfileTitle')), { timeout: 45_000 })
  })
})
