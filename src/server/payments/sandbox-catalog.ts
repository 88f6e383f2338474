import { assessmentWords } from '#server/content/content.ts'
import type { Deps } from '../deps.ts'
import type { Catalog } from '../outside/card-sandbox-sessions.ts'
import { listPriced } from './store.ts'

/** What the sandbox sells: the product's own price list, so that the two cannot differ. */
export async function sandboxCatalog(db: Deps['db']): Promise<Catalog> {
  const priced = await listPriced(db)
  const prices = priced.flatMap(({ assessmentId, prices: ofAssessment }) => {
    // The provider shows plain text: a name's <sup> and <sub> are left out.
    const productName = assessmentWords(assessmentId, 'en').name.replace(/<[^>]*>/g, '')
    return ofAssessment.map((price) => ({ ...price, productName }))
  })
  return { prices, coupons: [] }
}
