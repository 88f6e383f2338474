import { assessments } from '#contract/assessments.ts'
import { instancesForCoach } from '#contract/instances.coach.ts'
import { usersForCoach } from '#contract/users.coach.ts'
import type { Control } from '#sandbox/card-provider/control.ts'
import { erase, newPlayer, payByApi, type Person } from './api.ts'
import { newCoach } from './coach.ts'
import type { ProductServer } from './server.ts'

/** What an operator has to deal with, caused as in real life: by what people do, and by services that refuse. */

async function controlProvider(url: string, wanted: Control): Promise<void> {
  await fetch(`${url}/dev/stripe/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  })
}

/** The sandbox's card provider from now on settles payments at once, or never by itself, like a bank debit. */
const settle = (url: string, settlement: 'at-once' | 'later') => controlProvider(url, { action: 'behave', settlement })

interface Buyer extends Person {
  sessionId: string
}

/** A player whose payment has not arrived, although the form was completed. */
export async function buyerWithoutPayment(url: string): Promise<Buyer> {
  const buyer = await newPlayer(url, { hasBought: false })
  const [assessment] = (await buyer.api.ask(assessments.list, { query: { page: 1, limit: 10 } })).data
  const priceId = assessment?.prices.find(({ nickname }) => nickname)?.id ?? ''
  const { clientSecret, sessionId } = await buyer.api.ask(assessments.checkout, { params: { priceId } })
  await settle(url, 'later')
  await payByApi(url, clientSecret)
  // refused: it has not arrived
  await buyer.api.ask(assessments.completeCheckout, { body: { session_id: sessionId } }).catch(() => undefined)
  await settle(url, 'at-once')
  return { ...buyer, sessionId }
}

/** Somebody whose payment arrives after they were erased. */
export async function erasedBuyer(server: ProductServer): Promise<void> {
  const buyer = await buyerWithoutPayment(server.url)
  await erase(server, buyer)
  await controlProvider(server.url, { action: 'settle', sessionId: buyer.sessionId, outcome: 'succeeded' })
}

/** A coach who invites a mailbox that the mail server refuses, and who asks for more addresses than a limit allows. */
export async function coachInTrouble(url: string): Promise<Person> {
  const coach = await newCoach(url, { tokens: 1 })
  const [assessment] = (await coach.api.ask(assessments.list, { query: { page: 1, limit: 10 } })).data
  const body = { playerEmail: `bounces@club${Date.now()}.test`, assessmentId: assessment?.assessmentId ?? '' }
  await coach.api.ask(instancesForCoach.allocate, { body })
  for (let tries = 0; tries < 31; tries += 1)
    await coach.api.ask(usersForCoach.searchByEmail, { query: { email: `nobody${tries}@club.test` } }).catch(() => undefined)
  return coach
}
