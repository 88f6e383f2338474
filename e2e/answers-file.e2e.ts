import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { shortDay } from '#contract/rules/dates.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers } from './support/api.ts'
import { savedFile } from './support/answers-file.ts'
import { refuseWith, replyLost, tooLarge } from './support/front.ts'
import { arriveAs, expect, expectAccessible, gate, goOffline, goOnline, test, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { answerAll, expectAnswered } from './support/questionnaire.ts'
import { speak } from './support/look.ts'
import { anyOf, startOf, wordsOf, type Words } from './support/words.ts'

/** A file of answers: from a phone without a signal into the account, by anybody. ANSWERS-27, ANSWERS-28 */

async function choose(page: Page, t: Words, file: string | { name: string; mimeType: string; buffer: Buffer }) {
  const button = page.getByRole('button', { name: new RegExp(`^(${t('answers-file:Choose')}|${t('answers-file:ChooseOther')})$`) })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()])
  await chooser.setFiles(file)
}

workerTest(
  '12 answers of a phone without a signal come into the account by another device',
  async ({ page: phone, browser, t, server }) => {
    const player = await newPlayer(server.url)
    const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 12)
    await arriveAs(phone, player, paths.test(player.instanceId))
    await untilWorkerIsThere(phone)
    await goOffline(phone, t)
    await answerAll(phone, t, script)
    await expect(phone.getByText(t('assessment:TestSavedOnDevice', { count: 12 }))).toBeVisible()
    await phone.goto(paths.device())
    const { text, path } = await savedFile(phone, phone.getByRole('button', { name: t('device:SaveFile') }))
    expect(text).toContain(t('answers-file:FileTitle'))
    expect(text).toContain(`${server.url}${paths.answersFile()}`)
    for (const secret of [player.email, script[0]?.items[0]?.id ?? '', player.accessToken]) expect(text).not.toContain(secret)

    // somebody else's device: nobody is signed in
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const other = await context.newPage()
    await other.goto(server.url + paths.answersFile())
    await choose(other, t, path)
    await expect(other.getByText(/12 answered questions, saved on/)).toBeVisible()
    await other.getByRole('button', { name: t('answers-file:Bring') }).click()
    await expect(other.getByText(t('answers-file:Stored', { count: 12 }))).toBeVisible()
    await expectAccessible(other, 'a file that has arrived')
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
    await choose(other, t, path)
    await other.getByRole('button', { name: t('answers-file:Bring') }).click()
    await expect(other.getByText(t('answers-file:Stored', { count: 12 }))).toBeVisible()
    await context.close()

    // the player, on a third device
    const tablet = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const third = await tablet.newPage()
    await arriveAs(third, player, paths.test(player.instanceId))
    for (const question of script.slice(0, 3)) await expectAnswered(third, t, question)
    await tablet.close()

    await goOnline(phone, t)
    await expect(phone.getByText(t('device:WaitingNothing'))).toBeVisible({ timeout: 30_000 })
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
    const { groups } = await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })
    expect(groups.map(({ revision }) => revision)).toEqual(groups.map(() => 1))
  },
)

for (const language of ['en', 'fr'] as const) {
  test(`what is not a whole file of Touchline is named at once (${language})`, async ({ page, server }) => {
    const t = wordsOf(language)
    await page.goto(server.url + paths.answersFile())
    await speak(page, language)
    const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await choose(page, t, file('letter.txt', 'Dear coach,'))
    await expect(page.getByRole('alert')).toHaveText(t('answers-file:NotOurs'))
    await choose(page, t, file('cut.txt', 'eyJhbGciOiJkaXIiLCJlbmMiOi'))
    await expect(page.getByRole('alert')).toHaveText(t('answers-file:Damaged'))
    await expect(page.getByRole('button', { name: t('answers-file:Bring') })).toBeHidden()
    await expectAccessible(page, 'not a file of ours')
  })
}

for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
  test.describe(timezoneId, () => {
    test.use({ timezoneId })
    test('the name of a file has the day that its text has', async ({ page, t, server }) => {
      const player = await newPlayer(server.url, { questions: 3 })
      const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(3, 4)
      await arriveAs(page, player, paths.test(player.instanceId))
      await answerAll(page, t, script)
      await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
      await page.goto(paths.device())
      const { text, download } = await savedFile(page, page.getByRole('button', { name: t('device:SaveFile') }))
      const [, year = '', month = '', day = ''] = /^touchline-(\d{4})-(\d\d)-(\d\d)-/.exec(download.suggestedFilename()) ?? []
      expect(text).toContain(shortDay(new Date(Number(year), Number(month) - 1, Number(day)), 'en'))
    })
  })
}

test('a file that was changed is refused; without a connection the chosen one stays', async ({ page, t, server }) => {
  const player = await newPlayer(server.url, { questions: 3 })
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(3, 5)
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script)
  await expect(page.getByText(startOf(t('assessment:TestSavedToAccount')))).toBeVisible()
  await page.goto(paths.device())
  const { text } = await savedFile(page, page.getByRole('button', { name: t('device:SaveFile') }))
  await page.getByRole('link', { name: t('device:BringFile') }).click()
  const changed = text.replace(/\.([\w-]{22})\s*$/, (_, tag: string) => `.${tag.startsWith('A') ? 'B' : 'A'}${tag.slice(1)}`)
  await choose(page, t, { name: 'changed.txt', mimeType: 'text/plain', buffer: Buffer.from(changed) })
  const bring = page.getByRole('button', { name: t('answers-file:Bring') })
  await bring.click()
  await expect(page.getByRole('alert')).toContainText(t('answers-file:Damaged'))
  await expect(page.getByRole('alert')).toContainText(t('answers-file:FileStays'))

  await goOffline(page, t)
  await choose(page, t, { name: 'whole.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await expect(page.getByText(t('answers-file:StaysChosen'))).toBeVisible()
  await expect(bring).toHaveAttribute('aria-disabled', 'true')
  await goOnline(page, t)
  await bring.click()
  await expect(page.getByText(t('answers-file:StoredNone'))).toBeVisible()
  await expect(page.getByText(t('answers-file:There', { count: 2 }))).toBeVisible()
})

test('on a touch screen the file goes through the share sheet; cancelling it is said, and no error', async ({ browser, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 1)
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.addInitScript(() => {
    const shared: string[] = []
    const share = async ({ files: given = [] }: ShareData) => {
      const [file] = given
      shared.push(`${file?.type} ${(await file?.text())?.split('\n')[0]}`)
      if (shared.length === 2) throw new DOMException('Share canceled', 'AbortError')
    }
    Object.assign(globalThis, { shared })
    Object.defineProperties(Navigator.prototype, { canShare: { value: () => true }, share: { value: share } })
  })
  await arriveAs(page, player, paths.test(player.instanceId), { origin: server.url })
  await answerAll(page, t, script)
  await page.goto(server.url + paths.device())
  const button = page.getByRole('button', { name: t('device:SaveFile') })
  const shared = () => page.evaluate(() => (globalThis as unknown as { shared: string[] }).shared)
  await button.click()
  const first = `text/plain ${t('answers-file:FileTitle')}`
  await expect.poll(shared).toEqual([first])
  await expect(page.getByRole('status').getByText(anyOf(t('answers-file:FileShared', { name: 'ANY' })))).toBeVisible()
  await button.click()
  await expect.poll(shared).toEqual([first, first])
  await expect(page.getByRole('status').getByText(t('answers-file:FileCancelled'))).toBeVisible()
  await expect(button).not.toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('alert')).toBeHidden()
  await context.close()
})

const BRINGING = /^\/api\/assessment\/answers-file/

test('what is said of a file is true when its reply is lost, a proxy answers, or a mail was wrapped around it', async ({
  page,
  t,
  server,
  front,
}) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 2)
  front.bend(/^\/api\/assessment\/assessment-instance\/responses/, refuseWith(500, 'INTERNAL'))
  await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
  await answerAll(page, t, script)
  await page.goto(front.url + paths.device())
  const { text } = await savedFile(page, page.getByRole('button', { name: t('device:SaveFile') }))
  const file = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
  const bring = page.getByRole('button', { name: t('answers-file:Bring') })
  await page.goto(front.url + paths.answersFile())

  // two characters of the middle are missing: the header is no base64 any more
  const at = text.indexOf('eyJ') + 40
  for (const missing of [1, 2, 3]) {
    await choose(page, t, file('gap.txt', text.slice(0, at) + text.slice(at + missing)))
    await expect(page.getByRole('alert')).toHaveText(t('answers-file:Damaged'))
  }

  await choose(page, t, file('whole.txt', text))
  front.bend(BRINGING, tooLarge)
  await bring.click()
  await expect(page.getByRole('alert')).toHaveText(`${t('answers-file:Blocked')} ${t('answers-file:FileStays')}`)
  front.mend()
  front.bend(BRINGING, replyLost(server.url))
  await bring.click()
  await expect(page.getByRole('alert')).toContainText(t('answers-file:MayHaveArrived'))
  // a refusal of the next try says nothing of the first
  front.bend(BRINGING, refuseWith(429, 'TOO_MANY_REQUESTS'))
  await page.getByRole('button', { name: t('answers-file:Bring') }).click()
  await expect(page.getByRole('alert')).toContainText(t('errors:TOO_MANY_REQUESTS'))
  await expect(page.getByRole('alert')).toContainText(t('answers-file:MayHaveArrived'))
  await expect(page.getByRole('alert')).not.toContainText(t('answers-file:FileStays'))
  expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))

  // while one is on its way no other can be chosen, so its outcome is not shown for another
  front.mend()
  const { open, opened } = gate()
  front.bend(BRINGING, (_incoming, _reply, pass) => void opened.then(pass))
  await bring.click()
  await expect(page.getByRole('button', { name: t('answers-file:ChooseOther') })).toHaveAttribute('aria-disabled', 'true')
  open()
  await expect(page.getByText(t('answers-file:Stored', { count: 2 }))).toBeVisible()

  // in a long mail, saved undecoded; only the sealed part is sent
  const mail = `${'Hello coach, '.repeat(30_000)}\r\n${text.replaceAll(/.{70}/g, '$&=\r\n')}\r\n-- \r\nSent from my phone`
  await choose(page, t, file('mail.eml.txt', mail))
  const sent = page.waitForRequest((request) => BRINGING.test(new URL(request.url()).pathname))
  await bring.click()
  expect((await sent).postData()).not.toContain('Hello')
  await expect(page.getByText(t('answers-file:Stored', { count: 2 }))).toBeVisible()
})

test('a server from before the files takes none back, and none is made', async ({ page, t, server }) => {
  const player = await newPlayer(server.url)
  const script = scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } })).slice(0, 1)
  await page.route(new RegExp(`/api/assessment/assessment-instance/${player.instanceId}(\\?|$)`), async (route) => {
    const response = await route.fetch()
    const { fileSeal: _fileSeal, ...older } = (await response.json()) as { fileSeal?: string }
    await route.fulfill({ response, json: older })
  })
  await arriveAs(page, player, paths.test(player.instanceId))
  await answerAll(page, t, script)
  await page.goto(paths.device())
  await page.getByRole('button', { name: t('device:SaveFile') }).click()
  await expect(page.getByRole('alert')).toHaveText(t('answers-file:FileNotTaken'))
})
