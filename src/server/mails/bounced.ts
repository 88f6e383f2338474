import type { mails } from '#contract/mails.ts'
import type { Handler } from '../http/handler.ts'
import { isSameSecret } from '../keys.ts'
import { markBounced } from '../mailer/bounces-store.ts'
import { readDeliveryReport, readJsonReport } from '../mailer/delivery-report.ts'

/** POST mail/bounce. MAIL-12 */
export const bounced: Handler<typeof mails.bounced> = async ({ body, header, networkAddress, refuse, deps }) => {
  const { mailBounceKeys } = deps.env
  if (mailBounceKeys.length === 0) return refuse('NOT_FOUND')
  const given = keyIn(header('authorization'))
  if (given === undefined || !mailBounceKeys.some((key) => isSameSecret(given, key))) {
    // the reporting server gives up in the end: this count is how the operator learns of it
    await deps.limits.take('bounceKeys', networkAddress)
    return refuse('INVALID_TOKEN')
  }
  const isJson = /^application\/json\b/i.test(header('content-type') ?? '')
  const report = isJson ? readJsonReport(body) : await readDeliveryReport(body)
  if (!report) return refuse('INVALID_INPUT')
  const { mailIds, bounce } = report
  if (!bounce) return { isKnown: mailIds.length > 0 }
  const known = []
  for (const id of mailIds) if (await markBounced(deps.db, id, bounce, deps.clock.now())) known.push(id)
  deps.log.info({ mailIds: known, ...bounce }, known.length > 0 ? 'a mail bounced' : 'bounce for an unknown mail')
  return { isKnown: known.length > 0 }
}

/** Providers that can only be given an address send what is before its @ as basic authorisation. */
function keyIn(authorization = ''): string | undefined {
  const [, scheme, value = ''] = /^(Bearer|Basic) ([\w.~+/=-]{1,400})$/i.exec(authorization) ?? []
  if (scheme === undefined) return undefined
  return scheme.toLowerCase() === 'bearer'
    ? value
    : Buffer.from(value, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, '')
}
