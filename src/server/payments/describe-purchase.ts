import { plainName } from '#contract/rules/assessment-name.ts'
import type { Language } from '#contract/languages.ts'
import { fillIn } from '#contract/rules/fill-in.ts'
import { offerWords } from '../content/offer.ts'
import type { Database } from '../db/database.ts'
import { wordsOf } from '../words/words.ts'
import { findOffer, type Order } from './store.ts'

/** What an order is for, in the buyer's language: the provider has one name for each product, in whatever language its owner typed. */
export async function describePurchase(db: Database, order: Order, language: Language): Promise<string> {
  const { server } = wordsOf(language)
  if (order.assessmentId === null) return fillIn(server['BoughtTokens'] ?? '', { count: order.quantity })
  const offer = await findOffer(db, order.assessmentId)
  return fillIn(server['BoughtAssessment'] ?? '', { name: offer && plainName(offerWords(offer, language).name) })
}
