import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** What the portal must know of the place it runs in; nothing secret. API-39, OPERATE-3 */
export const settings = {
  get: endpoint({
    method: 'GET',
    path: 'settings',
    access: 'anyone',
    reply: z.object({
      mode: z.enum(['demo', 'production']),
      /** false: mails are real; a reply of an older build does not say */
      hasMailbox: z.optional(z.boolean()),
      /** `publishableKey` is checked here too, so that no slip ever serves a secret one; `script` is the sandbox's own; null means the provider's */
      cardPayments: z.object({ publishableKey: z.string().check(z.startsWith('pk_')), script: z.nullable(z.string()) }),
      /** years: a player who is younger has no profile (PROFILE-19) */
      minimumAge: z.int(),
      links: z.object({
        website: z.string(),
        videoChannel: z.string(),
        learnMore: z.string(),
        /** null: leads nowhere (OPERATE-3) */
        terms: z.nullable(z.string()),
        privacy: z.nullable(z.string()),
        contact: z.nullable(z.string()),
      }),
    }),
    errors: [],
    tag: 'Reference',
    summary: 'Public settings of this installation',
  }),
}
