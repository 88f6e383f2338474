import { paths } from '#app/paths.ts'
import { instances } from '#contract/instances.ts'
import { newPlayer, scriptOf } from './support/api.ts'
import { cut, fileMissing, noReply } from './support/front.ts'
import { arriveAs, expect, test } from './support/journey.ts'
import { answer, show } from './support/questionnaire.ts'

/** Submit on a first visit, while a part of the app that it needs cannot be loaded. */

for (const [part, how, bend] of [
  ['missing-details', 'gone', fileMissing],
  ['missing-details', 'not answered', noReply],
  ['sending', 'gone', fileMissing],
  ['sending', 'cut off', cut],
  ['sending', 'not answered', noReply],
] as const) {
  test(`whose file ${part} is ${how}: it is submitted, or says that it is not and can be pressed again`, async ({
    page,
    t,
    server,
    front,
  }) => {
    test.setTimeout(180_000)
    const player = await newPlayer(server.url)
    const params = { instanceId: player.instanceId }
    const script = scriptOf(await player.api.ask(instances.get, { params }))
    const last = script.at(-1)
    if (!last) throw new Error('no questions')
    const responses = script
      .slice(0, -1)
      .flatMap(({ sectionName, items }) => items.map(({ id, value }) => ({ sectionName, id, answer: value })))
    await player.api.ask(instances.saveResponses, { body: { instanceId: player.instanceId, responses } })
    front.bend(new RegExp(`/assets/${part}-[\\w-]{8}\\.js`), bend)
    await arriveAs(page, player, paths.test(player.instanceId), { origin: front.url })
    // the page may reload meanwhile, for the part
    await expect(async () => {
      await show(page, t, last)
      await answer(page, t, last)
    }).toPass()
    const submit = page.getByRole('button', { name: t('assessment:TestSubmit') })
    await submit.click()

    const notSubmitted = page.getByRole('alert').filter({ hasText: t('assessment:TestSubmitPartLost') })
    const isSubmitted = async () => (await player.api.ask(instances.get, { params })).status === 'COMPLETED'
    await expect.poll(async () => (await notSubmitted.isVisible()) || (await isSubmitted()), { timeout: 45_000 }).toBe(true)
    front.mend()
    // the page may reload for the part, which it says again then
    await expect
      .poll(
        async () => {
          if (await isSubmitted()) return true
          if (await notSubmitted.isVisible()) await submit.click({ timeout: 1000 }).catch(() => undefined)
          return false
        },
        { timeout: 100_000, intervals: [2000] },
      )
      .toBe(true)
  })
}
