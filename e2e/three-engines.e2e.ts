import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import type { Language } from '#contract/languages.ts'
import { users } from '#contract/users.ts'
import { answersOf, newPlayer, scriptOf, storedAnswers, type Person } from './support/api.ts'
import { engineTest as test, inEveryEngine } from './support/engines/journey.ts'
import type { EnginePage, Part } from './support/engines/page.ts'
import { answerAll, askForCode, button, heading, seesAnswered, signIn, speak, tapAnswers, typeCode } from './support/engines/steps.ts'
import { cut, isNext, publishNext } from './support/front.ts'
import { expect } from './support/journey.ts'
import { wordsOf } from './support/words.ts'

/** What a player counts on without a signal, in the engines of Chrome, Firefox and Safari. OFFLINE-15 */

/** All but five of the questions, so that the rest is on one screen. */
const ANSWERED = 71

const scriptIn = async (player: Person & { instanceId: string }, language: Language) =>
  scriptOf(await player.api.ask(instances.get, { params: { instanceId: player.instanceId } }, language))

/** Taps a button that saves a file, and puts what it saves on this machine's disk: no driver has a folder for it. */
async function savedFile(page: EnginePage, save: Part, folder: string): Promise<string> {
  await page.run(() => {
    const made = URL.createObjectURL.bind(URL)
    URL.createObjectURL = (blob) => {
      Object.assign(globalThis, { saved: blob })
      return made(blob)
    }
  }, undefined)
  await page.tap(save)
  const read = () => page.run(() => (globalThis as { saved?: Blob }).saved?.text() ?? '', undefined)
  await expect.poll(read).not.toBe('')
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'answers.txt')
  await writeFile(path, await read())
  return path
}

/** Runs in the page. From now on what it begins to read lasts until the page is left, as on a very slow disk. ANSWERS-31 */
function readsLast() {
  const storeOf = IDBTransaction.prototype.objectStore
  IDBTransaction.prototype.objectStore = function lasting(this: IDBTransaction, name: string) {
    const store = storeOf.call(this, name)
    if (this.mode !== 'readonly') return store
    const again = () => {
      try {
        store.count().addEventListener('success', again)
      } catch {
        // it was aborted
      }
    }
    again()
    Object.assign(globalThis, { isReading: true })
    return store
  }
}

/** Runs in the page: looks for a new build; resolves to whether it waits. A look begun before it was published may count for this one. */
async function findsUpdate() {
  const registration = await navigator.serviceWorker.ready
  if (!registration.installing && !registration.waiting) await registration.update()
  return registration.waiting !== null
}

inEveryEngine(() => {
  test('answers survive a cut line, a reload and a killed browser; Submit is sent when the line is back', async ({
    t,
    server,
    front,
    phone,
  }) => {
    const french = wordsOf('fr')
    const player = await newPlayer(server.url, { questions: ANSWERED })
    const script = await scriptIn(player, 'en')
    const left = script.slice(ANSWERED)
    const lastInFrench = (await scriptIn(player, 'fr')).slice(-1)
    const questions = front.url + paths.test(player.instanceId)

    const page = await phone.open()
    await signIn(page, t, player, front.url)
    await page.sees({ role: 'region', name: t('home:SummaryTitle') })
    await page.reads(t('player:ReadyForNoSignal'), { timeout: 60_000 })
    await page.goto(questions)
    await answerAll(page, t, left.slice(0, 1))
    await page.reads(t('assessment:TestSavedToAccount', { time: '' }).trim())

    front.bend(/./, cut)
    await answerAll(page, t, left.slice(1, 3))
    await page.reads(t('assessment:TestSavedOnDevice', { count: 2 }))
    await page.reload()
    await seesAnswered(page, t, left.slice(0, 3))
    await page.reads(t('shell:Offline'))
    await answerAll(page, t, left.slice(3, 4))
    await page.reads(t('assessment:TestSavedOnDevice', { count: 3 }))
    await phone.kill()

    const again = await phone.open()
    await again.goto(front.url + paths.home())
    await again.reads(t('player:SavedOnDevice', { count: 3 }))
    await again.reads(t('player:ReadyForNoSignal'))
    await again.goto(front.url + paths.device())
    await again.reads(t('device:WaitingAnswers', { count: 3 }))
    await again.reads(t('device:ConnectionOffline'))
    await again.reads(/All \d+ files of the app are on this device\./)
    await again.goto(questions)
    await seesAnswered(again, t, left.slice(0, 4))
    await speak(again, 'fr')
    await again.reads(french('shell:Offline'))
    await answerAll(again, french, lastInFrench)
    await again.tap(button(french('assessment:TestSubmit')))
    await again.sees(heading(french('assessment:TestFinishedTitle')))
    await again.reads(french('assessment:TestFinishedWaiting'))
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, ANSWERED + 1)))

    front.mend()
    await again.sees(heading(french('results:ResultsOverviewTitle')), { timeout: 60_000 })
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script))
    await again.goto(front.url + paths.device())
    await again.reads(french('device:WaitingNothing'))
    await phone.close()
  })

  test('a browser killed in the middle of the sign-in, and right after a tap, is where it was', async ({ t, server, front, phone }) => {
    const player = await newPlayer(server.url)
    const script = await scriptIn(player, 'en')
    const questions = front.url + paths.test(player.instanceId)

    const first = await phone.open()
    await askForCode(first, t, player, front.url)
    await first.sees(heading(t('auth:OtpTitle')))
    await phone.kill()

    const second = await phone.open()
    await second.goto(front.url + paths.otp())
    await typeCode(second, t, player)
    await second.sees({ role: 'region', name: t('home:SummaryTitle') })
    await phone.kill()

    const third = await phone.open()
    await third.goto(questions)
    await tapAnswers(third, t, script.slice(0, 1))
    await phone.kill()

    const fourth = await phone.open()
    await fourth.goto(questions)
    await seesAnswered(fourth, t, script.slice(0, 1))
    await fourth.reads(t('assessment:TestSavedToAccount', { time: '' }).trim())
    front.bend(/./, cut)
    await tapAnswers(fourth, t, script.slice(1, 2))
    await phone.kill()

    front.mend()
    const fifth = await phone.open()
    await fifth.goto(questions)
    await seesAnswered(fifth, t, script.slice(0, 2))
    await expect.poll(() => storedAnswers(player, player.instanceId), { timeout: 45_000 }).toEqual(answersOf(script.slice(0, 2)))
  })

  test('a page that is left in the middle of a read holds up no answer of the next one', async ({ t, server, front, phone }) => {
    const french = wordsOf('fr')
    const player = await newPlayer(server.url)
    const script = await scriptIn(player, 'en')
    const page = await phone.open()
    await signIn(page, t, player, front.url)
    await page.sees({ role: 'region', name: t('home:SummaryTitle') })
    await page.goto(front.url + paths.test(player.instanceId))
    await answerAll(page, t, script.slice(0, 1))
    await page.reads(t('assessment:TestSavedToAccount', { time: '' }).trim())
    await page.run(readsLast, undefined)
    await speak(page, 'fr')
    await expect.poll(() => page.run(() => (globalThis as { isReading?: boolean }).isReading, undefined)).toBe(true)

    await page.goto(front.url + paths.home())
    await page.sees({ role: 'region', name: french('home:SummaryTitle') })
    await page.goto(front.url + paths.test(player.instanceId))
    await answerAll(page, french, (await scriptIn(player, 'fr')).slice(1, 2))
    await page.reads(french('assessment:TestSavedToAccount', { time: '' }).trim())
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
  })

  test('Back to a form that was left with a draft shows what was saved since', async ({ t, server, front, phone }) => {
    const player = await newPlayer(server.url, { hasBought: false })
    const profile = front.url + paths.profile()
    const lastName: Part = { role: 'textbox', name: t('details:LastName') }
    const page = await phone.open()
    await signIn(page, t, player, front.url)
    await page.tap({ role: 'link', name: t('shell:MenuProfile') })
    await page.type(lastName, '-Berg')
    await page.reads(t('details:Unsaved'))
    await page.goto(front.url + paths.about())
    await page.sees(heading(t('about:AboutTitle')))
    await page.goto(profile)
    await page.reads(t('details:DraftRestored'))
    await page.type(lastName, 'man')
    await page.tap(button(t('details:Save')))
    await page.reads(t('details:ProfileSaved'))
    await page.run(() => history.go(-2), undefined)
    await page.seesNo(button(t('details:DraftDiscard')))
    // whether the browser has kept the page as it was or loads it anew
    const shown = () => page.run(() => [...document.querySelectorAll('input')].map(({ value }) => value), undefined).catch(() => [])
    await expect.poll(shown).toContain('Lindqvist-Bergman')
    await page.type({ role: 'textbox', name: t('details:FirstName') }, 'Q')
    await page.tap(button(t('details:Save')))
    await page.reads(t('details:ProfileSaved'))
    expect(await player.api.ask(users.get, { params: { id: player.userId } })).toMatchObject({
      firstName: 'MayaQ',
      lastName: 'Lindqvist-Bergman',
    })
  })

  test('a new build is offered on the dashboard and never in the questionnaire, and one tap brings it', async ({
    t,
    server,
    front,
    phone,
  }) => {
    const player = await newPlayer(server.url)
    const script = await scriptIn(player, 'en')
    const questions = front.url + paths.test(player.instanceId)
    const offer = button(t('shell:UpdateNow'))
    const page = await phone.open()
    await signIn(page, t, player, front.url)
    await page.reads(t('player:ReadyForNoSignal'), { timeout: 60_000 })
    await page.goto(questions)
    await answerAll(page, t, script.slice(0, 1))

    publishNext(front, server.url)
    await expect.poll(() => page.run(findsUpdate, undefined), { timeout: 60_000 }).toBe(true)
    await page.seesNo(offer)
    // the old app goes on
    await answerAll(page, t, script.slice(1, 2))
    await page.reads(t('assessment:TestSavedToAccount', { time: '' }).trim())
    await page.tap(button(t('assessment:TestSaveAndExit')))
    await page.sees(offer)
    expect(await page.run(isNext, undefined)).toBe(false)

    await page.tap(offer)
    await expect.poll(() => page.run(isNext, undefined).catch(() => false), { timeout: 30_000 }).toBe(true)
    await page.sees({ role: 'region', name: t('home:SummaryTitle') })
    await page.seesNo(offer)
    front.bend(/./, cut)
    await page.goto(questions)
    await seesAnswered(page, t, script.slice(0, 2))
    expect(await page.run(isNext, undefined)).toBe(true)
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
  })

  test('answers saved to a file without a line come into the account from another device', async ({ t, server, front, phone }, info) => {
    const player = await newPlayer(server.url)
    const script = await scriptIn(player, 'en')
    const page = await phone.open()
    await signIn(page, t, player, front.url)
    await page.sees({ role: 'region', name: t('home:SummaryTitle') })
    await page.reads(t('player:ReadyForNoSignal'), { timeout: 60_000 })
    front.bend(/./, cut)
    await page.goto(front.url + paths.test(player.instanceId))
    await answerAll(page, t, script.slice(0, 2))
    await page.goto(front.url + paths.device())
    // what no browser on a desk may claim: to be the installed app, or to keep what nobody has allowed it to keep
    await page.reads(t('install:NotOffered'))
    await page.reads(t('device:GrantMayClear'))
    const file = await savedFile(page, button(t('device:SaveFile')), info.outputPath())

    // the other address has a storage of its own, as another device has
    await page.goto(server.url + paths.answersFile())
    await page.chooseFile(file)
    await page.reads(/2 answered questions, saved on/)
    await page.tap(button(t('answers-file:Bring')))
    await page.reads(t('answers-file:Stored', { count: 2 }))
    expect(await storedAnswers(player, player.instanceId)).toEqual(answersOf(script.slice(0, 2)))
  })
})
