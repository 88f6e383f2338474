import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newAddress, newPlayer, scriptOf } from './support/api.ts'
import { askForCode, arriveAs, codeField, expect, gate, goOffline, productTest, signOut, test, typeCode } from './support/journey.ts'
import { answerAll } from './support/questionnaire.ts'
import { KillableBrowser } from './support/killable-browser.ts'
import { expectScreen } from './support/screens.ts'
import { startOf, wordsOf } from './support/words.ts'

/** What a person typed, and where they were, when the browser is killed at sign-in. LOGIN-11, LOGIN-16, OFFLINE-11 */

/** Until it is in the copy of the sign-in that survives a killed browser. */
async function untilCopied(page: Page, text: string): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        if (!(await indexedDB.databases()).some(({ name }) => name === 'touchline-session')) return ''
        return new Promise<string>((resolve) => {
          const opening = indexedDB.open('touchline-session')
          opening.onsuccess = () => {
            const reading = opening.result.transaction('copy').objectStore('copy').get('session')
            reading.onsuccess = () => {
              opening.result.close()
              resolve(JSON.stringify(reading.result ?? ''))
            }
          }
        })
      }),
    )
    .toContain(text)
}

const killTest = productTest.extend<{ profile: KillableBrowser }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the first parameter’s pattern
  profile: async ({}, provide) => {
    const browser = await KillableBrowser.make()
    await provide(browser)
    await browser.throwAway()
  },
})

killTest(
  'the address and the details that were typed are there when the killed browser is opened again',
  async ({ profile, t, server }) => {
    let page = await profile.open()
    await page.goto(server.url + paths.login())
    await page.getByLabel(t('auth:Email')).fill('ada@club.test')
    await untilCopied(page, 'ada@club.test')
    await profile.kill()
    page = await profile.open()
    await page.goto(server.url + paths.login())
    await expect(page.getByLabel(t('auth:Email'))).toHaveValue('ada@club.test')

    await page.goto(server.url + paths.onboard())
    await page.getByLabel(t('details:FirstName')).fill('Adaeze')
    await untilCopied(page, 'Adaeze')
    await profile.kill()
    page = await profile.open()
    await page.goto(server.url + paths.onboard())
    await expect(page.getByLabel(t('details:FirstName'))).toHaveValue('Adaeze')
    await expect(page.getByText(t('details:DraftRestored'))).toBeVisible()
  },
)

killTest(
  'a browser killed between the last digit and the reply opens a screen that says so, with a new code at one tap',
  async ({ profile, t, front, api, server }) => {
    const email = newAddress()
    let page = await profile.open()
    await page.goto(front.url + paths.login())
    await askForCode(page, t, email)
    const spent = await api.code(email)
    const { open: isUsed, opened: used } = gate()
    front.bend(/verify-otp/, (incoming) => {
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.on('end', () => {
        const body = Buffer.concat(parts)
        // its reply arrives nowhere
        void fetch(server.url + incoming.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(isUsed)
      })
    })
    await typeCode(page, t, spent)
    await used
    await profile.kill()
    front.mend()

    page = await profile.open()
    await page.goto(front.url)
    await expect(page.getByRole('heading', { name: t('auth:OtpTitle') })).toBeVisible()
    await expect(page.getByText(startOf(t('auth:OtpTried')))).toBeVisible()
    // somebody else who has this tablet
    await page.getByRole('link', { name: t('auth:UseOtherAddress') }).click()
    await expectScreen(page, t, 'login', front.url + paths.login())
    await page.goBack()
    await typeCode(page, t, spent)
    await expect(codeField(page, t)).toHaveAccessibleDescription(t('auth:CodeMayBeUsed'))
    await page.getByRole('button', { name: t('auth:SendNewCode') }).click()
    await expect.poll(() => api.code(email)).not.toBe(spent)
    await expect(page.getByRole('button', { name: t('auth:SendNewCode') })).toBeHidden()
    await typeCode(page, t, await api.code(email))
    await expectScreen(page, t, 'home', front.url + paths.home())
    await profile.close()
  },
)

killTest('a browser killed right after a language was chosen opens in that language', async ({ profile, t, api, server }) => {
  const player = await newPlayer(server.url)
  let page = await profile.open()
  await page.goto(server.url + paths.login())
  await askForCode(page, t, player.email)
  await typeCode(page, t, await api.code(player.email))
  await expectScreen(page, t, 'home', server.url + paths.home())
  await page.getByRole('button', { name: 'Français', exact: true }).click()
  const french = wordsOf('fr')
  await expectScreen(page, french, 'home', server.url + paths.home())
  await untilCopied(page, '"language":"fr"')
  await profile.kill()

  page = await profile.open()
  await page.goto(server.url + paths.home())
  await expectScreen(page, french, 'home', server.url + paths.home())
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await profile.close()
})

killTest(
  'a browser killed right after a sign-out shows the next person nothing of the one who left',
  async ({ profile, t, api, server }) => {
    const player = await newPlayer(server.url)
    let page = await profile.open()
    await page.goto(server.url + paths.login())
    await askForCode(page, t, player.email)
    await typeCode(page, t, await api.code(player.email))
    await expectScreen(page, t, 'home', server.url + paths.home())
    await page.evaluate(() => localStorage.setItem('recentErrors', JSON.stringify([{ at: Date.now(), text: 'ada@club.test was refused' }])))
    // so that it is on the disk
    await profile.close()
    page = await profile.open()
    await page.goto(server.url + paths.home())
    await expectScreen(page, t, 'home', server.url + paths.home())
    await signOut(page, t)
    await expectScreen(page, t, 'login', server.url + paths.login())
    await profile.kill()

    page = await profile.open()
    await page.goto(server.url + paths.login())
    await expectScreen(page, t, 'login', server.url + paths.login())
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/ada@club|Lindqvist/)
    const next = newAddress()
    await askForCode(page, t, next)
    await typeCode(page, t, await api.code(next))
    await expectScreen(page, t, 'home', server.url + paths.home())
    await page.goto(server.url + paths.device())
    await expect(page.getByText(t('device:WaitingNothing'))).toBeVisible()
    await expect(page.getByText(t('device:ErrorsTitle'))).toBeHidden()
    await profile.close()
  },
)

test('a guest who asks what is on this device reads that answers wait for their owner, without a name', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }))
  await page.goto(front.url + paths.device())
  await expect(page.getByRole('heading', { name: t('auth:LoginTitle') })).toBeVisible()
  await expect(page.getByText(t('device:WaitsForSignIn'))).toBeHidden()
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await expect(page.getByRole('radio').first()).toBeVisible()
  await goOffline(page, t)
  await answerAll(page, t, script.slice(0, 1))
  await expect(page.getByText(t('assessment:TestSavedOnDevice', { count: 1 }))).toBeVisible()
  // the session is gone, the answers are not
  await page.evaluate(() => localStorage.clear())
  await page.evaluate(() => new Promise((resolve) => (indexedDB.deleteDatabase('touchline-session').onsuccess = resolve)))
  await page.context().setOffline(false)
  await page.goto(front.url + paths.device())
  await expect(page.getByRole('status').getByText(t('device:WaitsForSignIn'))).toBeVisible()
  await expect(page.getByText(player.email)).toBeHidden()
})
