import type { Page } from '@playwright/test'
import { paths } from '#app/paths.ts'
import { maskEmail } from '#app/session/challenge.ts'
import { newAddress, type Api } from './support/api.ts'
import { firstReplyLost, replyLost, type Bend, type Front } from './support/front.ts'
import { askForCode, codeField, expect, goOffline, test, typeCode, untilWorkerIsThere, workerTest } from './support/journey.ts'
import { speak } from './support/look.ts'
import { expectScreen } from './support/screens.ts'
import { wordsOf, type Words } from './support/words.ts'

/** The screen of the one-time code: how it is typed, and the errors of a code that did not sign in. LOGIN-7 to LOGIN-12 */

test('a wrong code is reported and cleared; the right one, pasted with a space, signs in', async ({ page, t, api, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  const right = await api.code(email)
  await typeCode(page, t, right === '12345678' ? '87654321' : '12345678')
  const field = codeField(page, t)
  await expect(page.locator('#toasts').getByText(t('errors:INVALID_CODE'))).toBeVisible()
  await expect(field).toHaveValue('')
  // the error stays beside the field until the next digit
  await page.getByRole('button', { name: t('ui:Close') }).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(`${t('auth:OtpLife', { count: 10 })} ${t('errors:INVALID_CODE')}`)
  await field.press('1')
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(t('errors:INVALID_CODE'))).toBeHidden()
  await field.press('Backspace')

  await page.evaluate((code) => navigator.clipboard.writeText(code), `${right.slice(0, 4)} ${right.slice(4)}`)
  await codeField(page, t).focus()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(page.getByRole('heading', { name: t('home:HomeHeadingNoName') })).toBeVisible()
})

const scripts: [string, number][] = [
  ['full-width', 0xff10],
  ['Arabic-Indic', 0x0660],
  ['Devanagari', 0x0966],
]

for (const [name, zero] of scripts) {
  test(`a code in ${name} digits is accepted, typed by an input method or pasted`, async ({ page, t, api, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const email = newAddress()
    await page.goto(paths.login())
    await askForCode(page, t, email)
    const right = await api.code(email)
    const inScript = (code: string) => String.fromCodePoint(...[...code].map((digit) => zero + Number(digit)))
    const field = codeField(page, t)
    const devtools = await context.newCDPSession(page)
    await field.focus()
    for (let typed = 1; typed <= 3; typed += 1) {
      const text = inScript(right.slice(0, typed))
      await devtools.send('Input.imeSetComposition', { text, selectionStart: typed, selectionEnd: typed })
    }
    await devtools.send('Input.insertText', { text: inScript(right.slice(0, 3)) })
    await expect(field).toHaveValue(right.slice(0, 3))
    await page.evaluate((code) => navigator.clipboard.writeText(code), inScript(right.slice(3)))
    await page.keyboard.press('ControlOrMeta+V')
    await expect(page.getByText(email, { exact: true })).toBeVisible()
  })
}

const byUs = (status: number, code: string) => ({ status, json: { code, message: '-', requestId: '-' } })
const bySomethingElse = (status: number) => ({ status, contentType: 'text/html', body: '<h1>Blocked</h1>' })
const undecided: { name: string; reply: ReturnType<typeof byUs | typeof bySomethingElse> | undefined; reason: string }[] = [
  { name: '503', reply: byUs(503, 'UNAVAILABLE'), reason: 'UNAVAILABLE' },
  { name: '429', reply: byUs(429, 'TOO_MANY_REQUESTS'), reason: 'TOO_MANY_REQUESTS' },
  { name: 'a cut', reply: undefined, reason: 'FETCH_ERROR' },
  { name: 'a filter’s 403', reply: bySomethingElse(403), reason: 'PARSING_ERROR' },
  { name: 'a network that asks to sign in (511)', reply: bySomethingElse(511), reason: 'PARSING_ERROR' },
  { name: 'a proxy’s 502', reply: bySomethingElse(502), reason: 'UNAVAILABLE' },
]

for (const { name, reply, reason } of undecided) {
  test(`${name} leaves the code in the field with the reason, and it can be tried again`, async ({ page, t, api }) => {
    const email = newAddress()
    await page.goto(paths.login())
    await askForCode(page, t, email)
    const code = await api.code(email)
    await page.route('**/verify-otp', (route) => (reply ? route.fulfill(reply) : route.abort('connectionreset')))
    await typeCode(page, t, code)
    for (const language of ['fr', 'en'] as const) {
      await speak(page, language)
      await expect(page.getByRole('main').getByText(wordsOf(language)(`errors:${reason}`))).toBeVisible()
    }
    await expect(codeField(page, t)).toHaveValue(code)
    await page.unrouteAll()
    await page.getByRole('button', { name: t('auth:VerifyAgain') }).click()
    await expect(page.getByText(email, { exact: true })).toBeVisible()
  })
}

/** Types the right code at a sign-in whose verification is bent. */
async function typeRightCode(page: Page, t: Words, { api, front }: { api: Api; front: Front }, bend: Bend): Promise<void> {
  const email = newAddress()
  await page.goto(front.url + paths.login())
  await askForCode(page, t, email)
  front.bend(/verify-otp/, bend)
  await typeCode(page, t, await api.code(email))
}

test('a code whose reply was lost still signs in', async ({ page, t, api, front, server }) => {
  await typeRightCode(page, t, { api, front }, replyLost(server.url))
  await expect(page.getByRole('main').getByText(t('errors:FETCH_ERROR'))).toBeVisible()
  front.mend()
  await page.getByRole('button', { name: t('auth:VerifyAgain') }).click()
  await expectScreen(page, t, 'home', front.url + paths.home())
})

test('and so it does if the browser by itself repeats the request', async ({ page, t, api, front, server }) => {
  await typeRightCode(page, t, { api, front }, firstReplyLost(server.url))
  await expectScreen(page, t, 'home', front.url + paths.home())
})

test('a code whose reply was lost with the page may be used up: the screen says so and leads to a new one', async ({
  page,
  t,
  api,
  front,
  server,
}) => {
  const email = newAddress()
  await page.goto(front.url + paths.login())
  await askForCode(page, t, email)
  const code = await api.code(email)
  front.bend(/verify-otp/, replyLost(server.url))
  await typeCode(page, t, code)
  await expect(page.getByRole('main').getByText(t('errors:FETCH_ERROR'))).toBeVisible()
  await expect(codeField(page, t)).toHaveValue(code)
  front.mend()
  await page.reload()
  await typeCode(page, t, code)
  await expect(codeField(page, t)).toHaveAccessibleDescription(t('auth:CodeMayBeUsed'))
  await expect(codeField(page, t)).toHaveValue('')
  await page.getByRole('button', { name: t('auth:SendNewCode') }).click()
  await expect.poll(() => api.code(email)).not.toBe(code)
  await typeCode(page, t, await api.code(email))
  await expectScreen(page, t, 'home', front.url + paths.home())
})

test('a proxy that refuses the second try does not make the code only wrong', async ({ page, t, api, front, server }) => {
  const email = newAddress()
  await page.goto(front.url + paths.login())
  await askForCode(page, t, email)
  const code = await api.code(email)
  front.bend(/verify-otp/, replyLost(server.url))
  await typeCode(page, t, code)
  await expect(page.getByRole('main').getByText(t('errors:FETCH_ERROR'))).toBeVisible()
  front.mend()
  front.bend(/verify-otp/, (_, reply) => reply.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Forbidden</h1>'))
  await page.getByRole('button', { name: t('auth:VerifyAgain') }).click()
  await expect(page.getByRole('main').getByText(t('errors:PARSING_ERROR'))).toBeVisible()
  front.mend()
  await page.reload()
  await typeCode(page, t, code)
  await expect(codeField(page, t)).toHaveAccessibleDescription(t('auth:CodeMayBeUsed'))
})

test('a device without room for a sign-in says so, and signs in with another code once it has room', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  const first = await api.code(email)
  await page.evaluate(() => {
    const setItem = Storage.prototype.setItem
    Storage.prototype.setItem = function (name, value) {
      if (name === 'refreshToken') throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
      setItem.call(this, name, value)
    }
  })
  await typeCode(page, t, first)
  await expect(codeField(page, t)).toHaveAccessibleDescription(t('errors:STORAGE_FULL'))
  // a half-stored sign-in would end by itself
  await page.reload()
  await page.getByRole('link', { name: t('auth:ResendCode') }).click()
  await askForCode(page, t, email)
  await expect.poll(() => api.code(email)).not.toBe(first)
  await typeCode(page, t, await api.code(email))
  await expectScreen(page, t, 'home', paths.home())
})

test('the error of an expired code stays, and another code is a tap away', async ({ page, t }) => {
  await page.goto(paths.login())
  await askForCode(page, t, newAddress())
  await page.route('**/verify-otp', (route) => route.fulfill({ status: 401, json: { code: 'CODE_EXPIRED', message: '-', requestId: '-' } }))
  await typeCode(page, t, '12345678')
  await expect(page.locator('#toasts').getByText(t('errors:CODE_EXPIRED'))).toBeVisible()
  await page.getByRole('button', { name: t('ui:Close') }).click()
  await codeField(page, t).press('1')
  await expect(codeField(page, t)).toHaveAccessibleDescription(t('errors:CODE_EXPIRED'))
  await expect(page.getByText(t('auth:OtpLife', { count: 10 }))).toBeHidden()
  await page.getByRole('link', { name: t('auth:ResendCode') }).click()
  await expectScreen(page, t, 'login', paths.login())
})

test('a new code is sent at once after five wrong ones', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  const spent = await api.code(email)
  for (let tried = 0; tried < 5; tried += 1) {
    await typeCode(page, t, spent === '12345678' ? '87654321' : '12345678')
    await expect(codeField(page, t)).toHaveValue('')
  }
  await expect(page.getByText(t('errors:CODE_EXHAUSTED')).first()).toBeVisible()
  await page.getByRole('link', { name: t('auth:ResendCode') }).click()
  await page.getByRole('button', { name: t('auth:SendCode') }).click()
  await expect(page.getByText(t('auth:OtpIntro', { email: maskEmail(email) }))).toBeVisible()
  expect(await api.mails(email)).toHaveLength(2)
  await typeCode(page, t, await api.code(email))
  await expect(page.getByText(email, { exact: true })).toBeVisible()
})

workerTest('a code typed offline outlives a reload, and is verified by itself once there is a connection', async ({ page, t, api }) => {
  const email = newAddress()
  await page.goto(paths.login())
  await askForCode(page, t, email)
  const verified: string[] = []
  page.on('request', (request) => request.url().endsWith('/verify-otp') && verified.push(request.url()))
  await untilWorkerIsThere(page)
  await goOffline(page, t)
  await typeCode(page, t, await api.code(email))
  await expect(page.getByRole('status').getByText(t('ui:OnlineOnlyReason'))).toBeVisible()
  await page.getByRole('button', { name: t('auth:VerifyAgain') }).click()
  await page.reload()
  await expect(codeField(page, t)).toHaveValue(/^\d{8}$/)
  await expect(page.getByRole('status').getByText(t('ui:OnlineOnlyReason'))).toBeVisible()
  expect(verified).toEqual([])
  await page.context().setOffline(false)
  await expect(page.getByText(email, { exact: true })).toBeVisible()
  expect(verified).toHaveLength(1)
})

test('digits that were typed are not there for whoever comes to the screen later', async ({ page, t }) => {
  await page.goto(paths.login())
  await askForCode(page, t, newAddress())
  await codeField(page, t).pressSequentially('1234')
  await page.reload()
  await expect(codeField(page, t)).toHaveValue('1234')
  await page.getByRole('link', { name: t('auth:ResendCode') }).click()
  await expect(page.getByRole('textbox', { name: t('auth:Email') })).toBeVisible()
  await page.goBack()
  await expect(codeField(page, t)).toHaveValue('')
})
