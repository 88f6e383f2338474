import type { settings } from '#contract/settings.ts'
import type { Handler } from '../http/handler.ts'

/** The settings that the portal needs. None of them is secret. */
export const get: Handler<typeof settings.get> = async ({ deps: { env, cards } }) => ({
  mode: env.mode,
  hasMailbox: env.smtpUrl === undefined,
  cardPayments: { publishableKey: cards.publishableKey, script: cards.script },
  minimumAge: env.minimumAge,
  links: env.links,
})
