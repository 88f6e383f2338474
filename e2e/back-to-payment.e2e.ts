import { paths } from '#app/paths.ts'
import { newCoach, payForTokens, tokensAvailable } from './support/coach.ts'
import { engineTest, inEveryEngine } from './support/engines/journey.ts'
import { heading, signIn } from './support/engines/steps.ts'
import { expect } from './support/journey.ts'

/** The payment page again, by Back, after a payment that may have gone through. BUY-18 */

inEveryEngine(() => {
  engineTest('back from what was paid for: the page asks, also where the browser shows it as it was left', async ({ t, server, phone }) => {
    const coach = await newCoach(server.url)
    const page = await phone.open()
    await signIn(page, t, coach, server.url)
    await page.sees(heading(t('home:HomeHeading', { name: 'Ana' })))
    await page.goto(server.url + paths.purchaseTokenPayment(3))
    const hasForm = () => page.run(() => document.querySelector('iframe') !== null, undefined)
    await expect.poll(hasForm).toBe(true)
    await payForTokens(coach, 3)
    await page.goto(server.url + paths.tokenPurchaseSuccessful())
    await page.sees(heading(t('token-purchase:PurchaseComplete')))
    await page.run(() => void setTimeout(() => history.back()), undefined)
    await page.reads(t('checkout:PaymentAgain'))
    expect(await hasForm()).toBe(false)
    await expect.poll(() => tokensAvailable(coach)).toBe(3)
  })
})
