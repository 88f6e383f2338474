import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { newAddress, type Api } from './support/api.ts'
import { firstReplyLate, replyLost, type Front } from './support/front.ts'
import { askForCode, codeField, expect, gate, test, typeCode } from './support/journey.ts'
import { speak } from './support/look.ts'
import { expectScreen } from './support/screens.ts'
import { wordsOf, type Words } from './support/words.ts'

/** A new code after one that may be used up: what is typed of it before the reply to asking for it has come. LOGIN-11 */

test.describe('a new code', () => {
  interface Parts {
    page: Page
    t: Words
    api: Api
    front: Front
    server: { url: string }
  }

  /** On the screen that says that the code may already be used. */
  async function codeUsed({ page, t, api, front, server }: Parts) {
    const email = newAddress()
    await page.goto(front.url + paths.login())
    await askForCode(page, t, email)
    front.bend(/verify-otp/, replyLost(server.url))
    const used = await api.code(email)
    await typeCode(page, t, used)
    await expect(page.getByRole('main').getByText(t('errors:FETCH_ERROR'))).toBeVisible()
    front.mend()
    await page.reload()
    const newOne = async () => {
      await expect.poll(() => api.code(email)).not.toBe(used)
      return api.code(email)
    }
    return { used, newOne }
  }

  /** Its mail is sent, and the reply comes once `open` is called. */
  async function askWithLateReply({ page, t, front, server }: Omit<Parts, 'api'>) {
    const { open, opened } = gate()
    front.bend(/initiate/, firstReplyLate(server.url, opened))
    await page.getByRole('button', { name: t('auth:SendNewCode') }).click()
    return open
  }

  test('is kept as far as it is typed before its reply comes', async ({ page, t, api, front, server }) => {
    const { used, newOne } = await codeUsed({ page, t, api, front, server })
    await typeCode(page, t, used)
    await expect(codeField(page, t)).toHaveAccessibleDescription(t('auth:CodeMayBeUsed'))
    const open = await askWithLateReply({ page, t, front, server })
    const code = await newOne()
    await codeField(page, t).pressSequentially(code.slice(0, 3))
    open()
    await expect(page.getByText(t('auth:CodeMayBeUsed'))).toBeHidden()
    await expect(codeField(page, t)).toHaveValue(code.slice(0, 3))
    await expect(codeField(page, t)).toBeFocused()
  })

  for (const { where, before, keys } of [
    { where: 'in an empty field', before: '', keys: [] },
    { where: 'in place of digits of the last one', before: '123', keys: ['ControlOrMeta+A'] },
    { where: 'where digits of the last one were removed', before: '123', keys: ['Backspace', 'Backspace', 'Backspace'] },
  ])
    test(`signs in if it is typed whole before its reply comes, ${where}`, async ({ page, t, api, front, server }) => {
      const { newOne } = await codeUsed({ page, t, api, front, server })
      await codeField(page, t).pressSequentially(before)
      const open = await askWithLateReply({ page, t, front, server })
      const code = await newOne()
      const verified: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('verify-otp')) verified.push(request.url())
      })
      await codeField(page, t).focus()
      for (const key of keys) await page.keyboard.press(key)
      // in one step, as a keyboard's suggestion does
      await page.keyboard.insertText(code)
      // the reply of a call that is made now comes after any refusal of the code
      await page.evaluate(() => fetch('/api/health').then((reply) => reply.text()))
      expect(verified).toEqual([])
      await expect(codeField(page, t)).toHaveValue(code)
      open()
      await expectScreen(page, t, 'home', front.url + paths.home())
      expect(verified).toHaveLength(1)
    })

  test('is judged at once if the reply to asking for it is lost', async ({ page, t, api, front, server }) => {
    const { newOne } = await codeUsed({ page, t, api, front, server })
    front.bend(/initiate/, replyLost(server.url))
    await page.getByRole('button', { name: t('auth:SendNewCode') }).click()
    await expect(page.getByRole('main').getByText(t('errors:FETCH_ERROR'))).toBeVisible()
    front.mend()
    const code = await newOne()
    await typeCode(page, t, code)
    // its sign-in is not known here
    await expect(codeField(page, t)).toHaveAccessibleDescription(t('auth:CodeMayBeUsed'))
    await page.getByRole('button', { name: t('auth:SendNewCode') }).click()
    await expect(page.getByText(t('auth:CodeMayBeUsed'))).toBeHidden()
    await typeCode(page, t, code)
    await expectScreen(page, t, 'home', front.url + paths.home())
  })

  test('says that a code typed whole is checked once that reply is here', async ({ page, t, api, front, server }) => {
    const { newOne } = await codeUsed({ page, t, api, front, server })
    const open = await askWithLateReply({ page, t, front, server })
    await typeCode(page, t, await newOne())
    for (const language of ['fr', 'en'] as const) {
      await speak(page, language)
      await expect(page.getByRole('main').getByRole('status').getByText(wordsOf(language)('auth:CodeWaits'))).toBeVisible()
    }
    open()
    await expectScreen(page, t, 'home', front.url + paths.home())
  })

  test('does not begin with digits that were typed while the connection was checked', async ({ page, t, api, front, server }) => {
    const { used } = await codeUsed({ page, t, api, front, server })
    const button = page.getByRole('button', { name: t('auth:SendNewCode') })
    await expect(button).toBeVisible()
    await page.context().setOffline(true)
    await expect(page.getByRole('main').getByText(t('ui:OnlineOnlyReason')).first()).toBeVisible()
    const checked = gate()
    front.bend(/api\/health/, (_incoming, _reply, pass) => void checked.opened.then(pass))
    const replied = gate()
    front.bend(/initiate/, firstReplyLate(server.url, replied.opened))
    await page.context().setOffline(false)
    // it looks unavailable until the check is over
    await button.click({ force: true })
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await codeField(page, t).pressSequentially(used.slice(0, 3))
    const asked = page.waitForRequest(/initiate/)
    checked.open()
    await asked
    await codeField(page, t).press(used.charAt(3))
    replied.open()
    await expect(page.getByText(t('auth:CodeMayBeUsed'))).toBeHidden()
    await expect(button).toBeHidden()
    await expect(codeField(page, t)).toHaveValue('')
  })

  test('does not begin with digits of the last one', async ({ page, t, api, front, server }) => {
    const { used, newOne } = await codeUsed({ page, t, api, front, server })
    await codeField(page, t).pressSequentially(used.slice(0, 3))
    await page.getByRole('button', { name: t('auth:SendNewCode') }).click()
    await newOne()
    await expect(codeField(page, t)).toHaveValue('')
  })
})
