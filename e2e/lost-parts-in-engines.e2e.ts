import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf, type Person } from './support/api.ts'
import { answerAll, button, heading, seesAnswered, signIn } from './support/engines/steps.ts'
import { engineTest as test, inEveryEngine } from './support/engines/journey.ts'
import type { EnginePage } from './support/engines/page.ts'
import { cut, fileMissing, noReply, notKept, replyWith, type Front } from './support/front.ts'
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

/** Whether the profile's own rules apply; the rules of a sheet that has failed cannot be read. */
const isStyled = (page: EnginePage) =>
  page.run(
    (name) =>
      Array.from(document.styleSheets).some((sheet) => {
        try {
          return sheet.href?.includes(name) === true && sheet.cssRules.length > 0
        } catch {
          return false
        }
      }),
    '/assets/profile-',
  )

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

  test('a part whose loading the connection cuts is told, and shown once the connection is good', async ({ t, server, front, phone }) => {
    const page = await phone.open()
    await watchedHome(page, t, await newPlayer(server.url), front)
    front.bend(PROFILE, cut)
    await page.tap({ role: 'link', name: t('shell:MenuProfile') })
    await page.sees(heading(t('shell:UnexpectedApplicationError')), { timeout: 30_000 })
    await page.reads(t('shell:PartNotLoaded'))
    front.mend()
    await page.sees(heading(t('profile:ProfileTitle')), { timeout: 45_000 })
  })

  test('a screen whose texts do not load is not shown without them, and is shown once the server has them', async ({
    t,
    server,
    front,
    phone,
  }) => {
    test.setTimeout(150_000)
    const page = await phone.open()
    await watchedHome(page, t, await newPlayer(server.url), front)
    front.bend(/\/assets\/profile-[\w-]+\.js$/, replyWith(500, {}))
    await page.tap({ role: 'link', name: t('shell:MenuProfile') })
    await page.reads(t('shell:PartNotLoaded'), { timeout: 40_000 })
    front.mend()
    await page.sees(heading(t('profile:ProfileTitle')), { timeout: 75_000 })
  })

  test('a part that never comes is told as late, and shown once the connection is good', async ({ t, server, front, phone }) => {
    test.setTimeout(150_000)
    const page = await phone.open()
    const asked = await watchedHome(page, t, await newPlayer(server.url), front)
    front.bend(PROFILE, noReply)
    await page.tap({ role: 'link', name: t('shell:MenuProfile') })
    await page.reads(t('shell:PartSlow'), { timeout: 30_000 })
    expect(asked).toEqual([])
    front.mend()
    await page.sees(heading(t('profile:ProfileTitle')), { timeout: 90_000 })
  })

  test('a first screen whose part never comes says so, and is shown once the connection is good', async ({ t, server, front, phone }) => {
    test.setTimeout(180_000)
    const page = await phone.open()
    await watchedHome(page, t, await newPlayer(server.url), front)
    front.bend(PROFILE, noReply)
    await page.goto(front.url + paths.profile())
    await page.reads(t('shell:PartSlow'), { timeout: 45_000 })
    front.mend()
    await page.sees(heading(t('profile:ProfileTitle')), { timeout: 90_000 })
  })

  test('a dialog that never comes is told, and its screen stays', async ({ t, server, front, phone }) => {
    const page = await phone.open()
    await watchedHome(page, t, await newPlayer(server.url), front)
    await page.tap({ role: 'link', name: t('shell:MenuProfile') })
    await page.sees(heading(t('profile:ProfileTitle')))
    front.bend(/\/assets\/(?:dialog-body|snackbar)/, noReply)
    await page.tap(button(t('profile:PhotoAdd')))
    await page.reads(t('ui:DialogLost'), { timeout: 30_000 })
    await page.sees(heading(t('profile:ProfileTitle')))
  })

  test('a later style sheet that the connection cuts applies once the connection is good', async ({ t, server, front, phone }) => {
    const page = await phone.open()
    await watchedHome(page, t, await newPlayer(server.url), front)
    front.bend(/\.css$/, cut)
    await page.tap({ role: 'link', name: t('shell:MenuProfile') })
    await page.sees(heading(t('profile:ProfileTitle')), { timeout: 30_000 })
    expect(await isStyled(page)).toBe(false)
    front.mend()
    await expect.poll(() => isStyled(page), { timeout: 45_000 }).toBe(true)
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

  test('a file that the worker has lost, and the connection cuts off, is loaded all the same', async ({ t, server, front, phone }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }, 'en')).slice(0, 1)
    const lost = '/assets/(?:base|first|vendor)-.*js$'
    front.bend(new RegExp(`^${lost}`), notKept(server.url))
    const page = await phone.open()
    await signIn(page, t, player, front.url)
    await page.sees({ role: 'region', name: t('home:SummaryTitle') })
    await page.reads(t('player:ReadyForNoSignal'), { timeout: 60_000 })
    await page.goto(front.url + paths.test(player.instanceId))
    await answerAll(page, t, script)
    const removed = await page.run(async (pattern) => {
      const names = (await caches.keys()).filter((name) => name.includes('precache'))
      const found = names.map(async (name) => {
        const cache = await caches.open(name)
        const entries = (await cache.keys()).filter(({ url }) => new RegExp(pattern).test(url))
        return Promise.all(entries.map((entry) => cache.delete(entry)))
      })
      return (await Promise.all(found)).flat().length
    }, lost)
    expect(removed).toBe(3)
    let tries = 0
    front.bend(new RegExp(`^${lost}`), (incoming, outgoing, pass) => {
      tries += 1
      if (tries < 6) cut(incoming, outgoing, pass)
      else pass()
    })
    // WebKit has them in memory, too
    await phone.kill()
    const again = await phone.open()
    await again.goto(front.url + paths.test(player.instanceId))
    await again.sees({ role: 'group', name: script[0]?.text ?? '' }, { timeout: 60_000 })
    await seesAnswered(again, t, script)
    expect(tries).toBeGreaterThanOrEqual(6)
  })
})
