import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The settings of an installation that the portal needs; none is secret. API-39, OPERATE-3 */
export const settings = {
  /** Public settings, the same for everybody. */
  get: endpoint({
    method: 'GET',
    path: 'settings',
    access: 'anyone',
    reply: z.object({
      mode: z.enum(['demo', 'production']),
      /** whether mails go to the demo's mailbox; absent from replies of older builds */
      hasMailbox: z.optional(z.boolean()),
      /** `publishableKey`: checked here so that a secret key is never sent by mistake. `script`: URL of the sandbox's script; null: the provider's */
      cardPayments: z.object({ publishableKey: z.string().check(z.startsWith('pk_')), script: z.nullable(z.string()) }),
      /** in years: younger players cannot have a profile (PROFILE-19) */
      minimumAge: z.int(),
      links: z.object({
        website: z.string(),
        videoChannel: z.string(),
        learnMore: z.string(),
        /** null: not configured, the link goes nowhere (OPERATE-3) */
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
